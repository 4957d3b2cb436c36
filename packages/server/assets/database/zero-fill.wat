;; Sets bytes to zero like memset(at, 0, count), but writes no block that is zero already: a page of
;; the operating system that is only read takes no memory. `embedded/postgres-program.ts` adds the
;; function to PostgreSQL. Assembled into zero-fill.wasm; a test assembles it anew and compares.
(module
  (memory (export "memory") 1)

  (func (export "zero_fill")
    (param $at i32) (param $zero i32) (param $count i32) (result i32)
    (local $next i32) (local $end i32) (local $block_end i32) (local $bits i64)
    (local.set $next (local.get $at))
    (local.set $end (i32.add (local.get $at) (local.get $count)))
    (block $no_more_blocks
      (loop $each_block
        (br_if $no_more_blocks
          (i32.lt_u (i32.sub (local.get $end) (local.get $next)) (i32.const 4096)))
        (local.set $block_end (i32.add (local.get $next) (i32.const 4096)))
        (local.set $bits (i64.const 0))
        (loop $each_64_bytes
          (local.set $bits
            (i64.or
              (local.get $bits)
              (i64.or
                (i64.or
                  (i64.or (i64.load (local.get $next)) (i64.load offset=8 (local.get $next)))
                  (i64.or
                    (i64.load offset=16 (local.get $next))
                    (i64.load offset=24 (local.get $next))))
                (i64.or
                  (i64.or
                    (i64.load offset=32 (local.get $next))
                    (i64.load offset=40 (local.get $next)))
                  (i64.or
                    (i64.load offset=48 (local.get $next))
                    (i64.load offset=56 (local.get $next)))))))
          (br_if $each_64_bytes
            (i32.lt_u
              (local.tee $next (i32.add (local.get $next) (i32.const 64)))
              (local.get $block_end))))
        (if (i64.ne (local.get $bits) (i64.const 0))
          (then
            (memory.fill
              (i32.sub (local.get $next) (i32.const 4096)) (i32.const 0) (i32.const 4096))))
        (br $each_block)))
    (memory.fill
      (local.get $next) (i32.const 0) (i32.sub (local.get $end) (local.get $next)))
    (local.get $at)))
