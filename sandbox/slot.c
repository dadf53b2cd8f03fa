#include "sandbox/prepared.h"

struct slot *slot_acquire(struct sandbox *sandbox)
{
    for (int i = 0; i < SLOTS_MAX; i++) {
        struct slot *slot = &sandbox->slots[i];

        if (slot->taken)
            continue;
        slot->taken = true;
        return slot;
    }
    return NULL;
}

void slot_release(struct slot *slot)
{
    slot->taken = false;
}
