;; Matrix arithmetic of the sentence encoder, sixteen bytes at a time.
;; Assembled into matrix.wasm; a test assembles it anew and compares.
(module
  (memory (export "memory") 1)

  ;; out[r * n + j] = max(floor, (sum over i of rows[r * k + i] * matrix[j * k + i] - offset[j])
  ;;   * row_scale[r] * scale[j] + bias[j]), for r below count and j below n.
  ;; rows: 0 to 127, so that no pair of products exceeds 16 bits; matrix: -127 to 127; the others:
  ;; 32-bit floats. count: a multiple of 4; n: of 2; k: of 16. All sums stay below 2^24, where
  ;; floats are exact, for k up to 1024, and within one part in 2^24 above.
  ;; in_two_steps: not 0 where the processor has no instruction for dot products of bytes; then two
  ;; instructions with a constant in a register are faster than their emulation.
  (func (export "multiply")
    (param $rows i32) (param $matrix i32) (param $out i32) (param $count i32) (param $n i32)
    (param $k i32) (param $row_scale i32) (param $scale i32) (param $offset i32) (param $bias i32)
    (param $floor f32) (param $in_two_steps i32)
    (local $j i32) (local $r i32) (local $i i32) (local $matrix2 i32) (local $a0 i32)
    (local $a1 i32) (local $a2 i32) (local $a3 i32) (local $at i32) (local $stride i32)
    (local $w v128) (local $x v128) (local $a v128) (local $ones v128) (local $floors v128)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local $t0 v128) (local $t1 v128) (local $t2 v128) (local $t3 v128)
    (local.set $ones (v128.const i16x8 1 1 1 1 1 1 1 1))
    (local.set $floors (f32x4.splat (local.get $floor)))
    (local.set $stride (i32.shl (local.get $n) (i32.const 2)))
    (loop $each_two_columns
      (local.set $matrix2 (i32.add (local.get $matrix) (local.get $k)))
      (local.set $r (i32.const 0))
      (local.set $a0 (local.get $rows))
      (local.set $at (i32.add (local.get $out) (i32.shl (local.get $j) (i32.const 2))))
      (loop $each_four_rows
        (local.set $a1 (i32.add (local.get $a0) (local.get $k)))
        (local.set $a2 (i32.add (local.get $a1) (local.get $k)))
        (local.set $a3 (i32.add (local.get $a2) (local.get $k)))
        (local.set $s0 (v128.const i32x4 0 0 0 0))
        (local.set $s1 (v128.const i32x4 0 0 0 0))
        (local.set $s2 (v128.const i32x4 0 0 0 0))
        (local.set $s3 (v128.const i32x4 0 0 0 0))
        (local.set $t0 (v128.const i32x4 0 0 0 0))
        (local.set $t1 (v128.const i32x4 0 0 0 0))
        (local.set $t2 (v128.const i32x4 0 0 0 0))
        (local.set $t3 (v128.const i32x4 0 0 0 0))
        (local.set $i (i32.const 0))
        (if (local.get $in_two_steps)
          (then
            (loop $each_sixteen_in_two_steps
              (local.set $w (v128.load (i32.add (local.get $matrix) (local.get $i))))
              (local.set $x (v128.load (i32.add (local.get $matrix2) (local.get $i))))
              (local.set $a (v128.load (i32.add (local.get $a0) (local.get $i))))
              (local.set $s0 (i32x4.add (local.get $s0) (i32x4.dot_i16x8_s (local.get $ones)
                (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w) (local.get $a)))))
              (local.set $t0 (i32x4.add (local.get $t0) (i32x4.dot_i16x8_s (local.get $ones)
                (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $x) (local.get $a)))))
              (local.set $a (v128.load (i32.add (local.get $a1) (local.get $i))))
              (local.set $s1 (i32x4.add (local.get $s1) (i32x4.dot_i16x8_s (local.get $ones)
                (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w) (local.get $a)))))
              (local.set $t1 (i32x4.add (local.get $t1) (i32x4.dot_i16x8_s (local.get $ones)
                (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $x) (local.get $a)))))
              (local.set $a (v128.load (i32.add (local.get $a2) (local.get $i))))
              (local.set $s2 (i32x4.add (local.get $s2) (i32x4.dot_i16x8_s (local.get $ones)
                (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w) (local.get $a)))))
              (local.set $t2 (i32x4.add (local.get $t2) (i32x4.dot_i16x8_s (local.get $ones)
                (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $x) (local.get $a)))))
              (local.set $a (v128.load (i32.add (local.get $a3) (local.get $i))))
              (local.set $s3 (i32x4.add (local.get $s3) (i32x4.dot_i16x8_s (local.get $ones)
                (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $w) (local.get $a)))))
              (local.set $t3 (i32x4.add (local.get $t3) (i32x4.dot_i16x8_s (local.get $ones)
                (i16x8.relaxed_dot_i8x16_i7x16_s (local.get $x) (local.get $a)))))
              (local.set $i (i32.add (local.get $i) (i32.const 16)))
              (br_if $each_sixteen_in_two_steps (i32.lt_u (local.get $i) (local.get $k)))))
          (else
            (loop $each_sixteen
              (local.set $w (v128.load (i32.add (local.get $matrix) (local.get $i))))
              (local.set $x (v128.load (i32.add (local.get $matrix2) (local.get $i))))
              (local.set $a (v128.load (i32.add (local.get $a0) (local.get $i))))
              (local.set $s0 (i32x4.relaxed_dot_i8x16_i7x16_add_s
                (local.get $w) (local.get $a) (local.get $s0)))
              (local.set $t0 (i32x4.relaxed_dot_i8x16_i7x16_add_s
                (local.get $x) (local.get $a) (local.get $t0)))
              (local.set $a (v128.load (i32.add (local.get $a1) (local.get $i))))
              (local.set $s1 (i32x4.relaxed_dot_i8x16_i7x16_add_s
                (local.get $w) (local.get $a) (local.get $s1)))
              (local.set $t1 (i32x4.relaxed_dot_i8x16_i7x16_add_s
                (local.get $x) (local.get $a) (local.get $t1)))
              (local.set $a (v128.load (i32.add (local.get $a2) (local.get $i))))
              (local.set $s2 (i32x4.relaxed_dot_i8x16_i7x16_add_s
                (local.get $w) (local.get $a) (local.get $s2)))
              (local.set $t2 (i32x4.relaxed_dot_i8x16_i7x16_add_s
                (local.get $x) (local.get $a) (local.get $t2)))
              (local.set $a (v128.load (i32.add (local.get $a3) (local.get $i))))
              (local.set $s3 (i32x4.relaxed_dot_i8x16_i7x16_add_s
                (local.get $w) (local.get $a) (local.get $s3)))
              (local.set $t3 (i32x4.relaxed_dot_i8x16_i7x16_add_s
                (local.get $x) (local.get $a) (local.get $t3)))
              (local.set $i (i32.add (local.get $i) (i32.const 16)))
              (br_if $each_sixteen (i32.lt_u (local.get $i) (local.get $k))))))
        ;; The four sums of each row are added across: first pairs of rows, then all four.
        (local.set $s0 (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $s0) (local.get $s1))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
            (local.get $s0) (local.get $s1))))
        (local.set $s2 (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $s2) (local.get $s3))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
            (local.get $s2) (local.get $s3))))
        (local.set $s0 (i32x4.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $s0) (local.get $s2))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $s0) (local.get $s2))))
        (local.set $s0 (f32x4.max (local.get $floors)
          (f32x4.add
            (f32x4.mul
              (f32x4.sub (f32x4.convert_i32x4_s (local.get $s0))
                (v128.load32_splat (local.get $offset)))
              (f32x4.mul
                (v128.load (i32.add (local.get $row_scale) (i32.shl (local.get $r) (i32.const 2))))
                (v128.load32_splat (local.get $scale))))
            (v128.load32_splat (local.get $bias)))))
        (local.set $t0 (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $t0) (local.get $t1))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
            (local.get $t0) (local.get $t1))))
        (local.set $t2 (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $t2) (local.get $t3))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
            (local.get $t2) (local.get $t3))))
        (local.set $t0 (i32x4.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $t0) (local.get $t2))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31
            (local.get $t0) (local.get $t2))))
        (local.set $t0 (f32x4.max (local.get $floors)
          (f32x4.add
            (f32x4.mul
              (f32x4.sub (f32x4.convert_i32x4_s (local.get $t0))
                (v128.load32_splat offset=4 (local.get $offset)))
              (f32x4.mul
                (v128.load (i32.add (local.get $row_scale) (i32.shl (local.get $r) (i32.const 2))))
                (v128.load32_splat offset=4 (local.get $scale))))
            (v128.load32_splat offset=4 (local.get $bias)))))
        (local.set $w (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
          (local.get $s0) (local.get $t0)))
        (local.set $x (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
          (local.get $s0) (local.get $t0)))
        (v128.store64_lane 0 (local.get $at) (local.get $w))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (v128.store64_lane 1 (local.get $at) (local.get $w))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (v128.store64_lane 0 (local.get $at) (local.get $x))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (v128.store64_lane 1 (local.get $at) (local.get $x))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (local.set $a0 (i32.add (local.get $a3) (local.get $k)))
        (local.set $r (i32.add (local.get $r) (i32.const 4)))
        (br_if $each_four_rows (i32.lt_u (local.get $r) (local.get $count))))
      (local.set $matrix (i32.add (local.get $matrix2) (local.get $k)))
      (local.set $scale (i32.add (local.get $scale) (i32.const 8)))
      (local.set $offset (i32.add (local.get $offset) (i32.const 8)))
      (local.set $bias (i32.add (local.get $bias) (i32.const 8)))
      (local.set $j (i32.add (local.get $j) (i32.const 2)))
      (br_if $each_two_columns (i32.lt_u (local.get $j) (local.get $n)))))

  ;; out[r] = sum over i of vector[i] * rows[r * stride + i], for r below count and i below width.
  ;; All 32-bit floats, stride in floats; width: a multiple of 4.
  (func (export "dot_rows")
    (param $vector i32) (param $rows i32) (param $out i32) (param $count i32) (param $stride i32)
    (param $width i32)
    (local $i i32) (local $sum v128)
    (local.set $stride (i32.shl (local.get $stride) (i32.const 2)))
    (local.set $width (i32.shl (local.get $width) (i32.const 2)))
    (loop $each_row
      (local.set $sum (v128.const f32x4 0 0 0 0))
      (local.set $i (i32.const 0))
      (loop $each_four
        (local.set $sum (f32x4.add (local.get $sum) (f32x4.mul
          (v128.load (i32.add (local.get $vector) (local.get $i)))
          (v128.load (i32.add (local.get $rows) (local.get $i))))))
        (local.set $i (i32.add (local.get $i) (i32.const 16)))
        (br_if $each_four (i32.lt_u (local.get $i) (local.get $width))))
      (f32.store (local.get $out) (f32.add
        (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
        (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $each_row (local.get $count))))

  ;; out[i] = sum over r of shares[r] * rows[r * stride + i], for r below count and i below width.
  ;; As above; sixteen columns at a time, which are a line of the cache. width: a multiple of 16.
  (func (export "mix_rows")
    (param $shares i32) (param $rows i32) (param $out i32) (param $count i32) (param $stride i32)
    (param $width i32)
    (local $r i32) (local $at i32) (local $share i32) (local $factor v128)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $stride (i32.shl (local.get $stride) (i32.const 2)))
    (loop $each_sixteen
      (local.set $s0 (v128.const f32x4 0 0 0 0))
      (local.set $s1 (v128.const f32x4 0 0 0 0))
      (local.set $s2 (v128.const f32x4 0 0 0 0))
      (local.set $s3 (v128.const f32x4 0 0 0 0))
      (local.set $r (local.get $count))
      (local.set $at (local.get $rows))
      (local.set $share (local.get $shares))
      (loop $each_row
        (local.set $factor (v128.load32_splat (local.get $share)))
        (local.set $s0 (f32x4.add (local.get $s0)
          (f32x4.mul (local.get $factor) (v128.load (local.get $at)))))
        (local.set $s1 (f32x4.add (local.get $s1)
          (f32x4.mul (local.get $factor) (v128.load offset=16 (local.get $at)))))
        (local.set $s2 (f32x4.add (local.get $s2)
          (f32x4.mul (local.get $factor) (v128.load offset=32 (local.get $at)))))
        (local.set $s3 (f32x4.add (local.get $s3)
          (f32x4.mul (local.get $factor) (v128.load offset=48 (local.get $at)))))
        (local.set $share (i32.add (local.get $share) (i32.const 4)))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (local.set $r (i32.sub (local.get $r) (i32.const 1)))
        (br_if $each_row (local.get $r)))
      (v128.store (local.get $out) (local.get $s0))
      (v128.store offset=16 (local.get $out) (local.get $s1))
      (v128.store offset=32 (local.get $out) (local.get $s2))
      (v128.store offset=48 (local.get $out) (local.get $s3))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
      (local.set $width (i32.sub (local.get $width) (i32.const 16)))
      (br_if $each_sixteen (local.get $width))))

  ;; Rounds each row to seven bits: out[r * width + i] = rows[r * width + i] * f + zero_point + 0.5,
  ;; cut, where f is levels / (the largest absolute value of the row), in doubles. The scale of the
  ;; row is the reciprocal of f; both are 0 for a row of zeros. width: a multiple of 16.
  (func (export "quantise_rows")
    (param $rows i32) (param $out i32) (param $scales i32) (param $count i32) (param $width i32)
    (param $zero_point f64)
    (local $i i32) (local $max v128) (local $largest f64) (local $levels f64)
    (local $factor v128) (local $half v128) (local $a v128) (local $b v128)
    (local.set $levels (f64.sub (f64.const 127) (local.get $zero_point)))
    (local.set $half (f64x2.splat (f64.add (local.get $zero_point) (f64.const 0.5))))
    (loop $each_row
      (local.set $max (v128.const f32x4 0 0 0 0))
      (local.set $i (i32.const 0))
      (loop $each_four
        (local.set $max (f32x4.pmax (local.get $max) (f32x4.abs (v128.load
          (i32.add (local.get $rows) (i32.shl (local.get $i) (i32.const 2)))))))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br_if $each_four (i32.lt_u (local.get $i) (local.get $width))))
      (local.set $largest (f64.promote_f32 (f32.max
        (f32.max (f32x4.extract_lane 0 (local.get $max)) (f32x4.extract_lane 1 (local.get $max)))
        (f32.max (f32x4.extract_lane 2 (local.get $max)) (f32x4.extract_lane 3 (local.get $max))))))
      (f32.store (local.get $scales)
        (f32.demote_f64 (f64.div (local.get $largest) (local.get $levels))))
      (local.set $factor (f64x2.splat (if (result f64) (f64.gt (local.get $largest) (f64.const 0))
        (then (f64.div (local.get $levels) (local.get $largest)))
        (else (f64.const 0)))))
      (local.set $i (i32.const 0))
      (loop $each_eight
        (local.set $a (call $quantise_four (local.get $rows) (local.get $factor) (local.get $half)))
        (local.set $b (call $quantise_four (i32.add (local.get $rows) (i32.const 16))
          (local.get $factor) (local.get $half)))
        (local.set $a (i16x8.narrow_i32x4_s (local.get $a) (local.get $b)))
        (v128.store64_lane 0 (local.get $out)
          (i8x16.narrow_i16x8_u (local.get $a) (local.get $a)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 32)))
        (local.set $out (i32.add (local.get $out) (i32.const 8)))
        (local.set $i (i32.add (local.get $i) (i32.const 8)))
        (br_if $each_eight (i32.lt_u (local.get $i) (local.get $width))))
      (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $each_row (local.get $count))))

  ;; Four floats times a factor, plus half, cut to integers.
  (func $quantise_four (param $at i32) (param $factor v128) (param $half v128) (result v128)
    (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
      (i32x4.trunc_sat_f64x2_s_zero (f64x2.add (local.get $half) (f64x2.mul (local.get $factor)
        (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $at))))))
      (i32x4.trunc_sat_f64x2_s_zero (f64x2.add (local.get $half) (f64x2.mul (local.get $factor)
        (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $at))))))))

  ;; Each row with mean 0 and variance 1, then times weight, plus bias, in doubles. The sums add the
  ;; values in their order; two rows at a time, so that additions overlap: of an odd count, one row
  ;; more is read and written. width: even.
  (func (export "normalise_rows")
    (param $rows i32) (param $weight i32) (param $bias i32) (param $out i32) (param $count i32)
    (param $width i32) (param $epsilon f64)
    (local $second i32) (local $bytes i32) (local $i i32) (local $size v128) (local $mean v128)
    (local $sum v128) (local $x v128) (local $factor v128)
    (local.set $bytes (i32.shl (local.get $width) (i32.const 2)))
    (local.set $size (f64x2.splat (f64.convert_i32_u (local.get $width))))
    (loop $each_two_rows
      (local.set $second (i32.add (local.get $rows) (local.get $bytes)))
      (local.set $sum (v128.const f64x2 0 0))
      (local.set $i (i32.const 0))
      (loop $each
        (local.set $sum (f64x2.add (local.get $sum) (call $pair
          (i32.add (local.get $rows) (local.get $i)) (i32.add (local.get $second) (local.get $i)))))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br_if $each (i32.lt_u (local.get $i) (local.get $bytes))))
      (local.set $mean (f64x2.div (local.get $sum) (local.get $size)))
      (local.set $sum (v128.const f64x2 0 0))
      (local.set $i (i32.const 0))
      (loop $each_again
        (local.set $x (f64x2.sub (call $pair
          (i32.add (local.get $rows) (local.get $i)) (i32.add (local.get $second) (local.get $i)))
          (local.get $mean)))
        (local.set $sum (f64x2.add (local.get $sum) (f64x2.mul (local.get $x) (local.get $x))))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br_if $each_again (i32.lt_u (local.get $i) (local.get $bytes))))
      (local.set $factor (f64x2.div (v128.const f64x2 1 1) (f64x2.sqrt (f64x2.add
        (f64x2.div (local.get $sum) (local.get $size)) (f64x2.splat (local.get $epsilon))))))
      (call $scale_row (local.get $rows) (local.get $weight) (local.get $bias) (local.get $out)
        (local.get $bytes) (f64x2.splat (f64x2.extract_lane 0 (local.get $mean)))
        (f64x2.splat (f64x2.extract_lane 0 (local.get $factor))))
      (call $scale_row (local.get $second) (local.get $weight) (local.get $bias)
        (i32.add (local.get $out) (local.get $bytes)) (local.get $bytes)
        (f64x2.splat (f64x2.extract_lane 1 (local.get $mean)))
        (f64x2.splat (f64x2.extract_lane 1 (local.get $factor))))
      (local.set $rows (i32.add (local.get $second) (local.get $bytes)))
      (local.set $out (i32.add (local.get $out) (i32.shl (local.get $bytes) (i32.const 1))))
      (local.set $count (i32.sub (local.get $count) (i32.const 2)))
      (br_if $each_two_rows (i32.gt_s (local.get $count) (i32.const 0)))))

  ;; A float of each of two rows, as doubles.
  (func $pair (param $first i32) (param $second i32) (result v128)
    (f64x2.promote_low_f32x4
      (v128.load32_lane 1 (local.get $second) (v128.load32_zero (local.get $first)))))

  (func $scale_row
    (param $row i32) (param $weight i32) (param $bias i32) (param $out i32) (param $bytes i32)
    (param $mean v128) (param $factor v128)
    (local $i i32)
    (loop $each_two
      (v128.store64_lane 0 (i32.add (local.get $out) (local.get $i))
        (f32x4.demote_f64x2_zero (f64x2.add
          (f64x2.mul
            (f64x2.mul
              (f64x2.sub
                (f64x2.promote_low_f32x4
                  (v128.load64_zero (i32.add (local.get $row) (local.get $i))))
                (local.get $mean))
              (local.get $factor))
            (f64x2.promote_low_f32x4
              (v128.load64_zero (i32.add (local.get $weight) (local.get $i)))))
          (f64x2.promote_low_f32x4
            (v128.load64_zero (i32.add (local.get $bias) (local.get $i)))))))
      (local.set $i (i32.add (local.get $i) (i32.const 8)))
      (br_if $each_two (i32.lt_u (local.get $i) (local.get $bytes))))))
