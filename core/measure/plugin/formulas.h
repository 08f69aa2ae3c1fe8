/* Formulas for operators, compiled outside of Sightline, in C or C++, with this header alone.
 *
 * A shared library exports the function sightline_formulas(), which returns a description that
 * lives as long as the process. What a formula is given is valid until it returns. It is called by
 * one thread at a time for a measurement, after the model has run, and must not throw.
 *
 * This interface is kept: members are only ever added at the end of structures, with a new version.
 * A library of an older version goes on working; of a newer one, it is refused. */
#ifndef SIGHTLINE_FORMULAS_H
#define SIGHTLINE_FORMULAS_H
/* NOLINTBEGIN: names and headers of C */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIGHTLINE_FORMULAS_VERSION 1

enum sightline_argument_kind {
  SIGHTLINE_ARGUMENT_ABSENT = 0, /* not given, or nothing that a formula could use */
  SIGHTLINE_ARGUMENT_TENSOR = 1,
  SIGHTLINE_ARGUMENT_TENSORS = 2,
  SIGHTLINE_ARGUMENT_INTEGER = 3, /* flags too: 0 or 1 */
  SIGHTLINE_ARGUMENT_INTEGERS = 4,
  SIGHTLINE_ARGUMENT_NUMBER = 5,
  SIGHTLINE_ARGUMENT_TEXT = 6
};

struct sightline_shape {
  const int64_t* sizes;
  int32_t dimensions;
  uint32_t element_bytes;
};

struct sightline_argument {
  int32_t kind;
  int32_t count;                         /* of tensors or integers; 1 if it is no list */
  const struct sightline_shape* tensors; /* of a tensor, or of several */
  const int64_t* integers;               /* an integer, or several */
  double number;
  const char* text;
};

struct sightline_call {
  const char* name;                           /* "mylib::attention" */
  const struct sightline_argument* arguments; /* in the order of the operator's declaration */
  const struct sightline_argument* outputs;
  int32_t argument_count;
  int32_t output_count;
};

struct sightline_cost {
  uint64_t macs;        /* multiply-accumulates of convolutions and matrix products */
  uint64_t masked_macs; /* those of them whose results a causal mask throws away */
  uint64_t flops;       /* all arithmetic: a multiply-accumulate is two */
  uint64_t bytes;       /* read and written */
};

struct sightline_formula {
  const char* name; /* of the operator, with its namespace */
  /* `cost` is zero but for its bytes, which are those of a call that reads each input once and
   * writes each output once. 0, or not 0 if it cannot say. */
  int (*cost)(const struct sightline_call* call, struct sightline_cost* cost);
};

struct sightline_formulas_description {
  uint32_t version;                         /* SIGHTLINE_FORMULAS_VERSION */
  const struct sightline_formula* formulas; /* the last one has no name */
};

const struct sightline_formulas_description* sightline_formulas(void);

#ifdef __cplusplus
}
#endif

/* NOLINTEND */
#endif
