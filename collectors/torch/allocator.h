// Watches the blocks of torch's allocator by standing in front of it. Once in place it stays, and
// passes everything on while nobody records: blocks that it made may be freed at any later time.
#pragma once

#include <c10/core/StorageImpl.h>

#include "core/model/block.h"

namespace sightline::torch_collector {

void install_allocator();
// The same for tensors without data, whose storages only a MemoryWatch wants to know of.
void install_dataless_allocator();

// Tells what a storage is for. One that is older than the recording is watched from now on.
void label_storage(c10::StorageImpl& storage, model::Category category);
void label_input_storage(c10::StorageImpl& storage);

}  // namespace sightline::torch_collector
