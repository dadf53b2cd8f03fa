# SPDX-License-Identifier: MIT
# frozen_string_literal: true

require_relative 'pavilion'

# The bot: choose is all that the arena asks of it. Change it as you like.
module Bot
  # One of turn.actions.
  def self.choose(turn)
    turn.actions.max_by { |action| worth(turn, action) }
  end

  # How good an action looks. What to try next: see the README.
  def self.worth(turn, action)
    case action
    when Pavilion::Draft then draft_worth(turn, action)
    when Pavilion::Place then place_worth(turn, action)
    when Pavilion::Bonus then bonus_worth(turn, action)
    else action.tiles.sum # passing: as a last resort, keeping what can be kept
    end
  end

  def self.draft_worth(turn, action)
    tiles = turn.tiles_at(action.source)
    worth = tiles[action.color]
    worth += 2 if action.color != turn.wild && tiles[turn.wild].positive? # a wild tile comes along
    # The first to take from the center loses points.
    worth -= 2 if action.source == Pavilion::CENTER && turn.state['token'] == -1
    worth
  end

  # Points now. Wild tiles are worth keeping.
  def self.place_worth(turn, action)
    points = Pavilion.run_length(turn.me['stars'][action.star], action.position)
    100 + 10 * points - action.wilds
  end

  # What goes with the tiles that are in the hand already.
  def self.bonus_worth(turn, action)
    action.tiles.zip(turn.me['hand']).sum { |taken, held| taken * (1 + held) }
  end
end
