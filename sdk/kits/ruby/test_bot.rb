# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# Plays the bundled turns without an arena: ruby test_bot.rb

require 'msgpack'
require 'open3'
require 'rbconfig'

def messages(bytes)
  MessagePack::Unpacker.new(allow_unknown_ext: true).feed_each(bytes).to_a
end

def check(holds, what)
  abort(what) unless holds
end

asked = File.binread(File.join(__dir__, 'turns.msgpack'))
written, status = Open3.capture2(RbConfig.ruby, File.join(__dir__, 'main.rb'),
                                 stdin_data: asked, binmode: true)
check(status.success?, 'the bot failed')
turns = messages(asked).select { |message| message['type'] == 'turn' }
ready, *acts = messages(written)
check(ready['type'] == 'ready', 'no ready')
check(turns.any? && acts.size == turns.size, "#{acts.size} answers to #{turns.size} turns")
acts.zip(turns).each do |act, turn|
  check(act['turn'] == turn['turn'], 'a wrong turn')
  check((0...turn['actions'].size).cover?(act['action']), 'no legal action')
end
puts "#{turns.size} turns answered"
