/// \file
/// The counters of Traffic, by name: what sums and reports go through.

#include <array>
#include <cstdint>

#include "observers/traffic/counters.hpp"

namespace emulator::traffic {

const std::array<TrafficField, 38> traffic_fields = {{
    {"global_load_requests", &Traffic::global_load_requests},
    {"global_load_sectors", &Traffic::global_load_sectors},
    {"global_load_ideal_sectors", &Traffic::global_load_ideal_sectors},
    {"global_load_bytes", &Traffic::global_load_bytes},
    {"global_store_requests", &Traffic::global_store_requests},
    {"global_store_sectors", &Traffic::global_store_sectors},
    {"global_store_ideal_sectors", &Traffic::global_store_ideal_sectors},
    {"global_store_bytes", &Traffic::global_store_bytes},
    {"global_atomic_requests", &Traffic::global_atomic_requests},
    {"global_atomic_sectors", &Traffic::global_atomic_sectors},
    {"global_atomic_ideal_sectors", &Traffic::global_atomic_ideal_sectors},
    {"global_atomic_bytes", &Traffic::global_atomic_bytes},
    {"shared_load_instructions", &Traffic::shared_load_instructions},
    {"shared_load_wavefronts", &Traffic::shared_load_wavefronts},
    {"shared_load_bank_conflicts", &Traffic::shared_load_bank_conflicts},
    {"shared_store_instructions", &Traffic::shared_store_instructions},
    {"shared_store_wavefronts", &Traffic::shared_store_wavefronts},
    {"shared_store_bank_conflicts", &Traffic::shared_store_bank_conflicts},
    {"shared_atomic_instructions", &Traffic::shared_atomic_instructions},
    {"shared_atomic_wavefronts", &Traffic::shared_atomic_wavefronts},
    {"shared_atomic_bank_conflicts", &Traffic::shared_atomic_bank_conflicts},
    {"code_blocks", &Traffic::code_blocks},
    {"code_block_lanes", &Traffic::code_block_lanes},
    {"barriers", &Traffic::barriers},
    {"bulk_load_copies", &Traffic::bulk_load_copies},
    {"bulk_load_sectors", &Traffic::bulk_load_sectors},
    {"bulk_load_ideal_sectors", &Traffic::bulk_load_ideal_sectors},
    {"bulk_load_bytes", &Traffic::bulk_load_bytes},
    {"bulk_store_copies", &Traffic::bulk_store_copies},
    {"bulk_store_sectors", &Traffic::bulk_store_sectors},
    {"bulk_store_ideal_sectors", &Traffic::bulk_store_ideal_sectors},
    {"bulk_store_bytes", &Traffic::bulk_store_bytes},
    {"block_waits", &Traffic::block_waits},
    {"async_copy_wavefronts", &Traffic::async_copy_wavefronts},
    {"async_copy_bank_conflicts", &Traffic::async_copy_bank_conflicts},
    {"peer_load_bytes", &Traffic::peer_load_bytes},
    {"peer_store_bytes", &Traffic::peer_store_bytes},
    {"peer_atomic_bytes", &Traffic::peer_atomic_bytes},
}};
static_assert(sizeof(Traffic) == traffic_fields.size() * sizeof(std::uint64_t),
              "a field of Traffic is missing in the table");

}  // namespace emulator::traffic
