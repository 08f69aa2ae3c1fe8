// What libsightline shows to the outside: the collectors, the bindings and compiled plug-ins.
#pragma once

#define SIGHTLINE_API __attribute__((visibility("default")))
