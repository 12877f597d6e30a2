/// @file
/// Chapter 23: how a tile learns what is before it. Each of these is a class for the kernels in
/// tiles.hpp and ahead.hpp. All lanes of one warp call its functions: publish() with the
/// combination of the tile's own elements, and then before(), which returns that of all elements
/// before the tile.
#pragma once

#include "tile_state.hpp"

namespace scan {

/// A tile that stands alone: it leaves its own combination for the next launch, with a status that
/// no launch of another kind takes for its own.
struct Alone {
  static constexpr bool draws = false;
  template <class Op, class Carry>
  static __device__ void publish(const TileState& s, Turn turn, Carry own) {
    if (lane() == 0) s.words[turn.tile] = pack(own, Status::none, 0);
  }
  template <class Op, class Carry>
  static __device__ Carry before(const TileState&, Turn, Carry) {
    return Op::identity();
  }
};

/// What is before the tile has been found out by an earlier launch.
struct Given {
  static constexpr bool draws = false;
  template <class Op, class Carry>
  static __device__ void publish(const TileState&, Turn, Carry) {}
  template <class Op, class Carry>
  static __device__ Carry before(const TileState& s, Turn turn, Carry) {
    Carry carry;
    unpack(s.words[turn.tile], carry);
    return carry;
  }
};

/// Each tile waits for the one before it. The value and the flag are two words, so their order
/// matters. The release store makes the value visible before the flag, and the acquire load reads
/// the flag before the value.
struct Chained {
  static constexpr bool draws = true;
  template <class Op, class Carry>
  static __device__ void publish(const TileState&, Turn, Carry) {}  // no tile asks for it
  template <class Op, class Carry>
  static __device__ Carry before(const TileState& s, Turn turn, Carry own) {
    using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
    Carry carry = Op::identity();
    if (lane() == 0) {
      if (turn.tile > 0) {
        while (Flag(s.flags[turn.tile - 1]).load(cuda::memory_order_acquire) != turn.epoch + 1) {
        }
        carry = from_bits<Carry>(s.values[turn.tile - 1]);
      }
      s.values[turn.tile] = bits_of(Op::combine(carry, own));
      Flag(s.flags[turn.tile]).store(turn.epoch + 1, cuda::memory_order_release);
    }
    return from_lane(carry, 0);
  }
};

/// The same, written as before CUDA had memory orders: a volatile flag, and fences.
struct ChainedByFences {
  static constexpr bool draws = true;
  template <class Op, class Carry>
  static __device__ void publish(const TileState&, Turn, Carry) {}
  template <class Op, class Carry>
  static __device__ Carry before(const TileState& s, Turn turn, Carry own) {
    volatile unsigned* const flags = s.flags;
    Carry carry = Op::identity();
    if (lane() == 0) {
      if (turn.tile > 0) {
        while (flags[turn.tile - 1] != turn.epoch + 1) {
        }
        __threadfence();  // the flag, then the value
        carry = from_bits<Carry>(s.values[turn.tile - 1]);
      }
      s.values[turn.tile] = bits_of(Op::combine(carry, own));
      __threadfence();  // the value, then the flag
      flags[turn.tile] = turn.epoch + 1;
    }
    return from_lane(carry, 0);
  }
};

/// A tile first says what its own elements add up to. `apart`: from one tile's word to the next, in
/// words.
template <int apart>
struct PublishesFirst {
  static constexpr bool draws = true;
  template <class Op, class Carry>
  static __device__ void publish(const TileState& s, Turn turn, Carry own) {
    const Status first = turn.tile == 0 ? Status::prefix : Status::aggregate;
    Word* const word = word_at<apart>(s.words, turn.tile);
    if (lane() == 0) scan::publish(word, pack(own, first, turn.epoch));
  }
};

/// Decoupled look-back: it then goes back from tile to tile, until one knows its prefix. One thread
/// looks at one tile at a time.
struct OneLooksBack : PublishesFirst<1> {
  template <class Op, class Carry>
  static __device__ Carry before(const TileState& s, Turn turn, Carry own) {
    Carry sum = Op::identity();
    if (lane() == 0 && turn.tile > 0) {
      for (unsigned at = turn.tile; at > 0;) {
        const Word word = read(&s.words[at - 1]);
        const Status status = status_of(word, turn.epoch);
        if (status == Status::none) continue;  // not yet: look again
        Carry theirs;
        unpack(word, theirs);
        sum = Op::combine(theirs, sum);
        if (status == Status::prefix) break;
        --at;
      }
      scan::publish(&s.words[turn.tile], pack(Op::combine(sum, own), Status::prefix, turn.epoch));
    }
    return from_lane(sum, 0);
  }
};

/// The same by a warp, which looks at 32 tiles at a time: lane 31 at the nearest, lane 0 at the one
/// furthest back.
template <int apart>
struct WarpLooks : PublishesFirst<apart> {
  template <class Op, class Carry>
  static __device__ Carry before(const TileState& s, Turn turn, Carry own) {
    if (turn.tile == 0) return Op::identity();
    Carry sum = Op::identity();
    for (int at = static_cast<int>(turn.tile) - 32 + lane();; at -= 32) {
      Word word = 0;
      unsigned with_prefix = 0;
      unsigned needed = 0;
      do {  // until all are there from the nearest one that knows its prefix on
        word = at >= 0 ? read(word_at<apart>(s.words, at))
                       : pack(Op::identity(), Status::prefix, turn.epoch);
        const Status status = status_of(word, turn.epoch);
        with_prefix = __ballot_sync(all_lanes, status == Status::prefix);
        const int nearest = with_prefix == 0 ? 0 : 31 - __clz(static_cast<int>(with_prefix));
        needed = all_lanes << nearest;
        if ((__ballot_sync(all_lanes, status == Status::none) & needed) == 0) break;
      } while (true);
      Carry theirs;
      unpack(word, theirs);
      if ((needed >> lane() & 1U) == 0) theirs = Op::identity();
      sum = Op::combine(warp_total<Op>(theirs), sum);
      if (with_prefix != 0) break;
    }
    if (lane() == 0) {
      scan::publish(word_at<apart>(s.words, turn.tile),
                    pack(Op::combine(sum, own), Status::prefix, turn.epoch));
    }
    return sum;
  }
};
using WarpLooksBack = WarpLooks<1>;
/// Each word in a line of the level-2 cache of its own: many blocks read them again and again, and
/// lines are spread over the cache.
using WarpLooksApart = WarpLooks<words_of_line>;

/// Look-back in a fixed order, for the same bits every time: a tree of which each lane reads one
/// leaf. Thirty-two tiles are a group, and 32 groups a region. What is before a tile: what is
/// before its region, the groups before its own in the region, and the tiles before it in the
/// group. The last tile of a group publishes what the group adds up to; the last of a region, what
/// is before the next one. `apart` as above, for tiles and for groups.
template <int apart>
struct LooksInGroups {
  static constexpr bool draws = true;
  template <class Op, class Carry>
  static __device__ void publish(const TileState& s, Turn turn, Carry own) {
    if (lane() == 0) {
      scan::publish(word_at<apart>(s.words, turn.tile), pack(own, Status::aggregate, turn.epoch));
    }
  }

  template <class Op, class Carry>
  static __device__ Carry before(const TileState& s, Turn turn, Carry own) {
    const unsigned group = turn.tile / 32;
    const unsigned region = group / 32;
    Word* const tile_word = word_at<apart>(s.words, group * 32 + lane());
    Word* const group_word = word_at<apart>(s.groups, region * 32 + lane());
    const bool has_tile = group * 32 + lane() < turn.tile;
    const bool has_group = region * 32 + lane() < group;
    // All are asked for at once.
    Word of_tile = first_look<Op>(tile_word, has_tile, turn);
    Word of_group = first_look<Op>(group_word, has_group, turn);
    Word of_region = first_look<Op>(s.regions + region, region > 0, turn);

    const Carry in_group = warp_total<Op>(value_in(of_tile, tile_word, turn, own));
    if (turn.tile % 32 == 31 && lane() == 0) {
      const Carry whole = Op::combine(in_group, own);
      scan::publish(word_at<apart>(s.groups, group), pack(whole, Status::aggregate, turn.epoch));
    }
    const Carry in_region = warp_total<Op>(value_in(of_group, group_word, turn, own));
    const Carry before_region = value_in(of_region, s.regions + region, turn, own);
    const Carry sum = Op::combine(before_region, Op::combine(in_region, in_group));
    if (turn.tile % 1024 == 1023 && lane() == 0) {
      scan::publish(&s.regions[region + 1],
                    pack(Op::combine(sum, own), Status::prefix, turn.epoch));
    }
    return sum;
  }

 private:
  template <class Op>
  static __device__ Word first_look(Word* place, bool is_wanted, Turn turn) {
    return is_wanted ? read(place) : pack(Op::identity(), Status::aggregate, turn.epoch);
  }
  /// The value in a word, which is read again until it is there.
  template <class Carry>
  static __device__ Carry value_in(Word word, Word* place, Turn turn, Carry) {
    while (status_of(word, turn.epoch) == Status::none) word = read(place);
    __syncwarp();
    Carry value;
    unpack(word, value);
    return value;
  }
};
using InGroups = LooksInGroups<1>;
using InGroupsApart = LooksInGroups<words_of_line>;

}  // namespace scan
