;; Dot products of one query with many rows of signed bytes, sixteen places at a time.
;; Assembled into dots.wasm; a test assembles it anew and compares.
(module
  ;; Threads share it, so that it has a limit: the largest that there is.
  (import "env" "memory" (memory 1 65536 shared))

  ;; out[i] = the sum over j of query[j] * rows[i * stride + j], for i below count.
  ;; query: signed 16 bit; rows: signed 8 bit; out: 32-bit floats; stride: a multiple of 16.
  ;; No sum can overflow while |query| < 2^15, |row| < 2^7 and stride <= 512 per partial sum:
  ;; four lanes share the stride, so that 4096 places are safe at |query| <= 4095.
  (func (export "dots")
    (param $query i32) (param $rows i32) (param $out i32) (param $count i32) (param $stride i32)
    (local $row_end i32) (local $q i32) (local $bytes v128) (local $sum v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $each_row
      (local.set $row_end (i32.add (local.get $rows) (local.get $stride)))
      (local.set $q (local.get $query))
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (loop $each_sixteen
        (local.set $bytes (v128.load (local.get $rows)))
        (local.set $sum
          (i32x4.add
            (local.get $sum)
            (i32x4.add
              (i32x4.dot_i16x8_s
                (i16x8.extend_low_i8x16_s (local.get $bytes))
                (v128.load (local.get $q)))
              (i32x4.dot_i16x8_s
                (i16x8.extend_high_i8x16_s (local.get $bytes))
                (v128.load offset=16 (local.get $q))))))
        (local.set $q (i32.add (local.get $q) (i32.const 32)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
        (br_if $each_sixteen (i32.lt_u (local.get $rows) (local.get $row_end))))
      (f32.store (local.get $out)
        (f32.convert_i32_s
          (i32.add
            (i32.add
              (i32x4.extract_lane 0 (local.get $sum))
              (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add
              (i32x4.extract_lane 2 (local.get $sum))
              (i32x4.extract_lane 3 (local.get $sum))))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $each_row (local.get $count)))))
