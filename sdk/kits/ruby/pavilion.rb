# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# Names for what the arena tells. Rules and protocol: /docs/rules.html, /docs/protocol.html on its site.
module Pavilion
  COLOR_NAMES = %w[purple green orange yellow blue red].freeze
  PURPLE, GREEN, ORANGE, YELLOW, BLUE, RED = (0..5).to_a
  CENTER_STAR = 6 # stars 0 to 5 lie around it, clockwise from the top left
  CENTER = -1 # a draft's source: the center of the table; displays are 0, 1, ...
  EMPTY = -1 # on a star: no tile

  Draft = Struct.new(:source, :color)
  Place = Struct.new(:star, :position, :color, :wilds) # wilds: tiles spent that are wild
  Bonus = Struct.new(:tiles) # taken from the supply, counts by color
  Pass = Struct.new(:tiles) # kept for the next round, counts by color

  KINDS = { 'draft' => Draft, 'place' => Place, 'bonus' => Bonus, 'pass' => Pass }.freeze

  # One decision that is due.
  class Turn
    attr_reader :number, :seat, :board, :clock, :bank_ms, :state, :actions
    attr_accessor :note # set it, and the replay shows it with this decision

    def initialize(hello, message)
      @number = message['turn']
      @seat = hello['seat']
      @board = hello['board'] # "colored" or "gray"
      @clock = hello['clock'] # turn_ms and more
      @bank_ms = message['bank_ms']
      @state = message['state'] # as the protocol lists it
      @actions = message['actions'].map { |kind, *numbers| KINDS.fetch(kind).new(*numbers) }
    end

    # My score, hand, corners and stars.
    def me
      state['players'][seat]
    end

    # This round's wild color.
    def wild
      state['wild']
    end

    # The tiles of a display or of the center, counts by color.
    def tiles_at(source)
      source == CENTER ? state['center'] : state['displays'][source]
    end
  end

  # Colors of the outer stars on the colored side: orange, red, blue, yellow, green, purple.
  STAR_COLORS = [2, 5, 4, 3, 1, 0].freeze
  # Bonus features: the tiles that each gives once its spaces (star, position) are filled.
  FEATURES = [
    # pillars
    [1, [[0, 1], [0, 2], [6, 5], [6, 0]]],
    [1, [[1, 1], [1, 2], [6, 0], [6, 1]]],
    [1, [[2, 1], [2, 2], [6, 1], [6, 2]]],
    [1, [[3, 1], [3, 2], [6, 2], [6, 3]]],
    [1, [[4, 1], [4, 2], [6, 3], [6, 4]]],
    [1, [[5, 1], [5, 2], [6, 4], [6, 5]]],
    # statues
    [2, [[0, 0], [0, 1], [1, 2], [1, 3]]],
    [2, [[1, 0], [1, 1], [2, 2], [2, 3]]],
    [2, [[2, 0], [2, 1], [3, 2], [3, 3]]],
    [2, [[3, 0], [3, 1], [4, 2], [4, 3]]],
    [2, [[4, 0], [4, 1], [5, 2], [5, 3]]],
    [2, [[5, 0], [5, 1], [0, 2], [0, 3]]],
    # windows
    [3, [[0, 4], [0, 5]]],
    [3, [[1, 4], [1, 5]]],
    [3, [[2, 4], [2, 5]]],
    [3, [[3, 4], [3, 5]]],
    [3, [[4, 4], [4, 5]]],
    [3, [[5, 4], [5, 5]]],
  ].freeze

  # How many tiles a space takes.
  def self.cost(board, star, position)
    return position + 1 if board == 'colored'

    star == CENTER_STAR ? 3 : [3, 2, 1, 4, 5, 6][position]
  end

  # The points for a tile on that position: the run of filled spaces that it joins.
  def self.run_length(star, position)
    [1, -1].reduce(1) do |length, step|
      at = (position + step) % 6
      while star[at] != EMPTY && length < 6
        length += 1
        at = (at + step) % 6
      end
      length
    end
  end
end
