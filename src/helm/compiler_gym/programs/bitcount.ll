source_filename = "bitcount.c"

@bits_of_byte = internal global [256 x i8] zeroinitializer, align 16
@count_by_nibbles.bits = internal constant [16 x i8] c"\00\01\01\02\01\02\02\03\01\02\02\03\02\03\03\04", align 16
@main.counters = internal constant [7 x ptr] [ptr @count_by_shift, ptr @count_by_clearing, ptr @count_in_parallel, ptr @count_by_tree, ptr @count_by_bytes, ptr @count_by_nibbles, ptr @count_recursively], align 16
@.str = private unnamed_addr constant [7 x i8] c"%d %d\0A\00", align 1

define dso_local i32 @count_by_shift(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %4

4:
  %5 = load i32, ptr %2, align 4
  %6 = icmp ne i32 %5, 0
  br i1 %6, label %7, label %15

7:
  %8 = load i32, ptr %2, align 4
  %9 = and i32 %8, 1
  %10 = load i32, ptr %3, align 4
  %11 = add i32 %10, %9
  store i32 %11, ptr %3, align 4
  br label %12

12:
  %13 = load i32, ptr %2, align 4
  %14 = lshr i32 %13, 1
  store i32 %14, ptr %2, align 4
  br label %4, !llvm.loop !4

15:
  %16 = load i32, ptr %3, align 4
  ret i32 %16
}

define dso_local i32 @count_by_clearing(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %4

4:
  %5 = load i32, ptr %2, align 4
  %6 = icmp ne i32 %5, 0
  br i1 %6, label %7, label %14

7:
  %8 = load i32, ptr %2, align 4
  %9 = sub i32 %8, 1
  %10 = load i32, ptr %2, align 4
  %11 = and i32 %10, %9
  store i32 %11, ptr %2, align 4
  %12 = load i32, ptr %3, align 4
  %13 = add nsw i32 %12, 1
  store i32 %13, ptr %3, align 4
  br label %4, !llvm.loop !6

14:
  %15 = load i32, ptr %3, align 4
  ret i32 %15
}

define dso_local i32 @count_in_parallel(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = load i32, ptr %2, align 4
  %5 = lshr i32 %4, 1
  %6 = and i32 %5, 1431655765
  %7 = sub i32 %3, %6
  store i32 %7, ptr %2, align 4
  %8 = load i32, ptr %2, align 4
  %9 = and i32 %8, 858993459
  %10 = load i32, ptr %2, align 4
  %11 = lshr i32 %10, 2
  %12 = and i32 %11, 858993459
  %13 = add i32 %9, %12
  store i32 %13, ptr %2, align 4
  %14 = load i32, ptr %2, align 4
  %15 = load i32, ptr %2, align 4
  %16 = lshr i32 %15, 4
  %17 = add i32 %14, %16
  %18 = and i32 %17, 252645135
  store i32 %18, ptr %2, align 4
  %19 = load i32, ptr %2, align 4
  %20 = mul i32 %19, 16843009
  %21 = lshr i32 %20, 24
  ret i32 %21
}

define dso_local i32 @count_by_tree(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = and i32 %3, 1431655765
  %5 = load i32, ptr %2, align 4
  %6 = lshr i32 %5, 1
  %7 = and i32 %6, 1431655765
  %8 = add i32 %4, %7
  store i32 %8, ptr %2, align 4
  %9 = load i32, ptr %2, align 4
  %10 = and i32 %9, 858993459
  %11 = load i32, ptr %2, align 4
  %12 = lshr i32 %11, 2
  %13 = and i32 %12, 858993459
  %14 = add i32 %10, %13
  store i32 %14, ptr %2, align 4
  %15 = load i32, ptr %2, align 4
  %16 = and i32 %15, 252645135
  %17 = load i32, ptr %2, align 4
  %18 = lshr i32 %17, 4
  %19 = and i32 %18, 252645135
  %20 = add i32 %16, %19
  store i32 %20, ptr %2, align 4
  %21 = load i32, ptr %2, align 4
  %22 = and i32 %21, 16711935
  %23 = load i32, ptr %2, align 4
  %24 = lshr i32 %23, 8
  %25 = and i32 %24, 16711935
  %26 = add i32 %22, %25
  store i32 %26, ptr %2, align 4
  %27 = load i32, ptr %2, align 4
  %28 = and i32 %27, 65535
  %29 = load i32, ptr %2, align 4
  %30 = lshr i32 %29, 16
  %31 = add i32 %28, %30
  ret i32 %31
}

define dso_local i32 @count_by_bytes(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = and i32 %3, 255
  %5 = zext i32 %4 to i64
  %6 = getelementptr inbounds nuw [256 x i8], ptr @bits_of_byte, i64 0, i64 %5
  %7 = load i8, ptr %6, align 1
  %8 = zext i8 %7 to i32
  %9 = load i32, ptr %2, align 4
  %10 = lshr i32 %9, 8
  %11 = and i32 %10, 255
  %12 = zext i32 %11 to i64
  %13 = getelementptr inbounds nuw [256 x i8], ptr @bits_of_byte, i64 0, i64 %12
  %14 = load i8, ptr %13, align 1
  %15 = zext i8 %14 to i32
  %16 = add nsw i32 %8, %15
  %17 = load i32, ptr %2, align 4
  %18 = lshr i32 %17, 16
  %19 = and i32 %18, 255
  %20 = zext i32 %19 to i64
  %21 = getelementptr inbounds nuw [256 x i8], ptr @bits_of_byte, i64 0, i64 %20
  %22 = load i8, ptr %21, align 1
  %23 = zext i8 %22 to i32
  %24 = add nsw i32 %16, %23
  %25 = load i32, ptr %2, align 4
  %26 = lshr i32 %25, 24
  %27 = zext i32 %26 to i64
  %28 = getelementptr inbounds nuw [256 x i8], ptr @bits_of_byte, i64 0, i64 %27
  %29 = load i8, ptr %28, align 1
  %30 = zext i8 %29 to i32
  %31 = add nsw i32 %24, %30
  ret i32 %31
}

define dso_local i32 @count_by_nibbles(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %5

5:
  %6 = load i32, ptr %4, align 4
  %7 = icmp slt i32 %6, 8
  br i1 %7, label %8, label %22

8:
  %9 = load i32, ptr %2, align 4
  %10 = and i32 %9, 15
  %11 = zext i32 %10 to i64
  %12 = getelementptr inbounds nuw [16 x i8], ptr @count_by_nibbles.bits, i64 0, i64 %11
  %13 = load i8, ptr %12, align 1
  %14 = sext i8 %13 to i32
  %15 = load i32, ptr %3, align 4
  %16 = add nsw i32 %15, %14
  store i32 %16, ptr %3, align 4
  br label %17

17:
  %18 = load i32, ptr %4, align 4
  %19 = add nsw i32 %18, 1
  store i32 %19, ptr %4, align 4
  %20 = load i32, ptr %2, align 4
  %21 = lshr i32 %20, 4
  store i32 %21, ptr %2, align 4
  br label %5, !llvm.loop !7

22:
  %23 = load i32, ptr %3, align 4
  ret i32 %23
}

define dso_local i32 @count_recursively(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = icmp ne i32 %3, 0
  br i1 %4, label %5, label %12

5:
  %6 = load i32, ptr %2, align 4
  %7 = and i32 %6, 1
  %8 = load i32, ptr %2, align 4
  %9 = lshr i32 %8, 1
  %10 = call i32 @count_recursively(i32 noundef %9)
  %11 = add nsw i32 %7, %10
  br label %13

12:
  br label %13

13:
  %14 = phi i32 [ %11, %5 ], [ 0, %12 ]
  ret i32 %14
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  br label %9

9:
  %10 = load i32, ptr %2, align 4
  %11 = icmp slt i32 %10, 256
  br i1 %11, label %12, label %29

12:
  %13 = load i32, ptr %2, align 4
  %14 = and i32 %13, 1
  %15 = load i32, ptr %2, align 4
  %16 = sdiv i32 %15, 2
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds [256 x i8], ptr @bits_of_byte, i64 0, i64 %17
  %19 = load i8, ptr %18, align 1
  %20 = zext i8 %19 to i32
  %21 = add nsw i32 %14, %20
  %22 = trunc i32 %21 to i8
  %23 = load i32, ptr %2, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [256 x i8], ptr @bits_of_byte, i64 0, i64 %24
  store i8 %22, ptr %25, align 1
  br label %26

26:
  %27 = load i32, ptr %2, align 4
  %28 = add nsw i32 %27, 1
  store i32 %28, ptr %2, align 4
  br label %9, !llvm.loop !8

29:
  store i32 1, ptr %3, align 4
  store i32 0, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %30

30:
  %31 = load i32, ptr %6, align 4
  %32 = icmp slt i32 %31, 200
  br i1 %32, label %33, label %65

33:
  %34 = load i32, ptr %3, align 4
  %35 = mul i32 %34, 1664525
  %36 = add i32 %35, 1013904223
  store i32 %36, ptr %3, align 4
  %37 = load ptr, ptr @main.counters, align 16
  %38 = load i32, ptr %3, align 4
  %39 = call i32 %37(i32 noundef %38)
  store i32 %39, ptr %7, align 4
  %40 = load i32, ptr %7, align 4
  %41 = load i32, ptr %5, align 4
  %42 = add nsw i32 %41, %40
  store i32 %42, ptr %5, align 4
  store i32 1, ptr %8, align 4
  br label %43

43:
  %44 = load i32, ptr %8, align 4
  %45 = icmp slt i32 %44, 7
  br i1 %45, label %46, label %61

46:
  %47 = load i32, ptr %8, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [7 x ptr], ptr @main.counters, i64 0, i64 %48
  %50 = load ptr, ptr %49, align 8
  %51 = load i32, ptr %3, align 4
  %52 = call i32 %50(i32 noundef %51)
  %53 = load i32, ptr %7, align 4
  %54 = icmp ne i32 %52, %53
  %55 = zext i1 %54 to i32
  %56 = load i32, ptr %4, align 4
  %57 = add nsw i32 %56, %55
  store i32 %57, ptr %4, align 4
  br label %58

58:
  %59 = load i32, ptr %8, align 4
  %60 = add nsw i32 %59, 1
  store i32 %60, ptr %8, align 4
  br label %43, !llvm.loop !9

61:
  br label %62

62:
  %63 = load i32, ptr %6, align 4
  %64 = add nsw i32 %63, 1
  store i32 %64, ptr %6, align 4
  br label %30, !llvm.loop !10

65:
  %66 = load i32, ptr %5, align 4
  %67 = load i32, ptr %4, align 4
  %68 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %66, i32 noundef %67)
  %69 = load i32, ptr %4, align 4
  ret i32 %69
}

declare dso_local i32 @printf(ptr noundef, ...) #1

attributes #0 = { nounwind "no-trapping-math"="true" }
attributes #1 = { "no-trapping-math"="true" }


!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = distinct !{!6, !5}
!7 = distinct !{!7, !5}
!8 = distinct !{!8, !5}
!9 = distinct !{!9, !5}
!10 = distinct !{!10, !5}
