#pragma once
/// \file
/// The program's `__device__` and `__managed__` variables: the data of the program that kernels may
/// use.
///
/// The translator leaves their names (the section `emulator_device_variables`), the program's
/// symbol table has the addresses and sizes. Names are compared without scopes, so that a host
/// variable counts as the device's if one with the same name somewhere in the program is.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/rooms.hpp"

namespace emulator::base {

/// A device variable.
struct DeviceVariable {
  std::string name;          ///< without scopes
  std::uintptr_t begin = 0;  ///< its address
  std::size_t bytes = 0;     ///< its size
};

/// The device variable that holds the byte at `address`; null if none does, or if nothing is known
/// about the address, as in a stripped program: only what find_data_variable() finds and this does
/// not is certainly the host's. The result stays valid. Any thread may call.
const DeviceVariable* find_device_variable(std::uintptr_t address);

/// From the next call on the host's code finds copies of its own in the place of the `__device__`
/// and `__constant__` variables, as with a GPU, whose variables are in another memory.
/// exchange_device_variables() changes sides: called when a window to the device opens, and when it
/// closes.
void part_device_variables();
void exchange_device_variables();

/// Whether one of the bytes is in a variable that has such a copy; and whether all are in one, or
/// all in constant memory.
bool touches_parted(std::uintptr_t begin, std::size_t bytes);
bool is_in_parted(std::uintptr_t begin, std::size_t bytes);

/// Notes what the `__device__` and `__constant__` variables hold, as that device's; and the
/// opposite: a device of which nothing was noted has those that note_first_variables() saw.
void note_first_variables();
void keep_variables_of(int device);
void bring_variables_of(int device);

}  // namespace emulator::base
