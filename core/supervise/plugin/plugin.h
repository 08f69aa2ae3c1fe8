/* A subscriber compiled outside of Sightline, in C or C++, with this header alone.
 *
 * A shared library exports the function sightline_plugin(), which returns a description that lives
 * as long as the library. Sightline calls create() once for every time it is loaded, receive() for
 * every message of the topics, and destroy() at the end. What receive() is given is valid until it
 * returns. It is called in the thread of whoever publishes, by one thread at a time, mostly between
 * two operators of the training: it should be quick, and must not throw.
 *
 * This interface is kept: members are only ever added at the end of structures, with a new version.
 * A library of an older version goes on working; of a newer one, it is refused. */
#ifndef SIGHTLINE_PLUGIN_H
#define SIGHTLINE_PLUGIN_H
/* NOLINTBEGIN: names and headers of C */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIGHTLINE_PLUGIN_VERSION 1

enum sightline_element_type {
  SIGHTLINE_FLOAT32 = 0,
  SIGHTLINE_FLOAT64 = 1,
  SIGHTLINE_BFLOAT16 = 2,
  SIGHTLINE_FLOAT16 = 3,
  SIGHTLINE_INT8 = 4,
  SIGHTLINE_INT16 = 5,
  SIGHTLINE_INT32 = 6,
  SIGHTLINE_INT64 = 7,
  SIGHTLINE_UINT8 = 8,
  SIGHTLINE_BOOL = 9
};

enum sightline_payload { SIGHTLINE_NOTHING = 0, SIGHTLINE_NUMBER = 1, SIGHTLINE_TENSOR = 2 };

/* In the memory of the processor. */
struct sightline_tensor {
  const void* data; /* of the element with index 0 in every dimension */
  int32_t element_type;
  int32_t dimensions;
  const int64_t* sizes;
  const int64_t* strides; /* in elements */
};

struct sightline_message {
  const char* topic;
  const char* module; /* path; empty: of the whole model */
  const char* tensor; /* name of a parameter; empty: what the module gives out */
  const char* tag;    /* "training", "evaluation", ... */
  uint64_t step;
  uint64_t epoch;
  int32_t payload; /* sightline_payload: which of the two below holds */
  double number;
  struct sightline_tensor values;
};

/* What a plug-in may ask of Sightline, as long as it lives. */
struct sightline_host {
  uint32_t version;
  void* handle; /* the first argument of all that follow */
  /* Publishes a number under a topic that the plug-in publishes, about what `about` is about.
   * 0, or not 0 if there is no such topic. */
  int (*publish)(void* handle, const char* topic, const struct sightline_message* about,
                 double value);
};

struct sightline_plugin_description {
  uint32_t version; /* SIGHTLINE_PLUGIN_VERSION */
  const char* name;
  const char* const* topics;       /* those it subscribes to; the last is NULL */
  const char* const* publications; /* those it publishes, about modules; NULL: none */
  const char* tag;                 /* NULL: any */
  uint64_t every;                  /* one step of so many; 1: all */
  /* `options` is what the user said, or empty. NULL if it cannot work. */
  void* (*create)(const struct sightline_host* host, const char* options);
  /* Not 0: it has failed, and gets nothing more. */
  int (*receive)(void* self, const struct sightline_message* message);
  void (*destroy)(void* self);
};

const struct sightline_plugin_description* sightline_plugin(void);

#ifdef __cplusplus
}
#endif

/* NOLINTEND */
#endif
