# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# Talks to the arena. Nothing here needs a change: bot.rb decides.

# Ruby starts a timer here, which the sandbox does not give: its warning is harmless.
verbose = $VERBOSE
$VERBOSE = nil
require 'msgpack'
$VERBOSE = verbose
require_relative 'bot'
require_relative 'pavilion'

def answer(turn)
  action = Bot.choose(turn)
  reply = { type: 'act', turn: turn.number, action: turn.actions.index(action) }
  reply[:note] = turn.note if turn.note
  reply
end

def tell(message)
  $stdout.write(message.to_msgpack)
  $stdout.flush
end

asked = ARGV[0] ? File.open(ARGV[0]) : $stdin
asked.binmode
$stdout.binmode
hello = nil
unpacker = MessagePack::Unpacker.new(allow_unknown_ext: true) # ignored, as unknown keys are
while (piece = begin
  asked.readpartial(65_536)
rescue EOFError
  nil # the arena has closed the input
end)
  unpacker.feed_each(piece) do |message|
    case message['type']
    when 'hello'
      hello = message
      tell(type: 'ready', name: '@NAME@')
    when 'turn'
      tell(answer(Pavilion::Turn.new(hello, message)))
    end # else: the end of the match, or something that a later arena says
  end
end
