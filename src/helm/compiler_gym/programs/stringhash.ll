source_filename = "stringhash.c"

@main.words = internal constant [5 x ptr] [ptr @.str, ptr @.str.1, ptr @.str.2, ptr @.str.3, ptr @.str.4], align 16
@.str = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.1 = private unnamed_addr constant [2 x i8] c"a\00", align 1
@.str.2 = private unnamed_addr constant [4 x i8] c"abc\00", align 1
@.str.3 = private unnamed_addr constant [10 x i8] c"Wikipedia\00", align 1
@.str.4 = private unnamed_addr constant [44 x i8] c"The quick brown fox jumps over the lazy dog\00", align 1
@.str.5 = private unnamed_addr constant [31 x i8] c"%08x %08x %08x %08x %04x %08x\0A\00", align 1
@.str.6 = private unnamed_addr constant [6 x i8] c"abcde\00", align 1

define dso_local i32 @length_of(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 0, ptr %3, align 4
  br label %4

4:
  %5 = load ptr, ptr %2, align 8
  %6 = load i32, ptr %3, align 4
  %7 = sext i32 %6 to i64
  %8 = getelementptr inbounds i8, ptr %5, i64 %7
  %9 = load i8, ptr %8, align 1
  %10 = icmp ne i8 %9, 0
  br i1 %10, label %11, label %14

11:
  %12 = load i32, ptr %3, align 4
  %13 = add nsw i32 %12, 1
  store i32 %13, ptr %3, align 4
  br label %4, !llvm.loop !4

14:
  %15 = load i32, ptr %3, align 4
  ret i32 %15
}

define dso_local i32 @fnv1a(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 -2128831035, ptr %3, align 4
  br label %4

4:
  %5 = load ptr, ptr %2, align 8
  %6 = load i8, ptr %5, align 1
  %7 = icmp ne i8 %6, 0
  br i1 %7, label %8, label %18

8:
  %9 = load i32, ptr %3, align 4
  %10 = load ptr, ptr %2, align 8
  %11 = load i8, ptr %10, align 1
  %12 = zext i8 %11 to i32
  %13 = xor i32 %9, %12
  %14 = mul i32 %13, 16777619
  store i32 %14, ptr %3, align 4
  br label %15

15:
  %16 = load ptr, ptr %2, align 8
  %17 = getelementptr inbounds nuw i8, ptr %16, i32 1
  store ptr %17, ptr %2, align 8
  br label %4, !llvm.loop !6

18:
  %19 = load i32, ptr %3, align 4
  ret i32 %19
}

define dso_local i32 @djb2(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 5381, ptr %3, align 4
  br label %4

4:
  %5 = load ptr, ptr %2, align 8
  %6 = load i8, ptr %5, align 1
  %7 = icmp ne i8 %6, 0
  br i1 %7, label %8, label %18

8:
  %9 = load i32, ptr %3, align 4
  %10 = mul i32 %9, 33
  %11 = load ptr, ptr %2, align 8
  %12 = load i8, ptr %11, align 1
  %13 = zext i8 %12 to i32
  %14 = add i32 %10, %13
  store i32 %14, ptr %3, align 4
  br label %15

15:
  %16 = load ptr, ptr %2, align 8
  %17 = getelementptr inbounds nuw i8, ptr %16, i32 1
  store ptr %17, ptr %2, align 8
  br label %4, !llvm.loop !7

18:
  %19 = load i32, ptr %3, align 4
  ret i32 %19
}

define dso_local i32 @sdbm(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 0, ptr %3, align 4
  br label %4

4:
  %5 = load ptr, ptr %2, align 8
  %6 = load i8, ptr %5, align 1
  %7 = icmp ne i8 %6, 0
  br i1 %7, label %8, label %23

8:
  %9 = load ptr, ptr %2, align 8
  %10 = load i8, ptr %9, align 1
  %11 = zext i8 %10 to i32
  %12 = load i32, ptr %3, align 4
  %13 = shl i32 %12, 6
  %14 = add i32 %11, %13
  %15 = load i32, ptr %3, align 4
  %16 = shl i32 %15, 16
  %17 = add i32 %14, %16
  %18 = load i32, ptr %3, align 4
  %19 = sub i32 %17, %18
  store i32 %19, ptr %3, align 4
  br label %20

20:
  %21 = load ptr, ptr %2, align 8
  %22 = getelementptr inbounds nuw i8, ptr %21, i32 1
  store ptr %22, ptr %2, align 8
  br label %4, !llvm.loop !8

23:
  %24 = load i32, ptr %3, align 4
  ret i32 %24
}

define dso_local i32 @adler32(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 1, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %5

5:
  %6 = load ptr, ptr %2, align 8
  %7 = load i8, ptr %6, align 1
  %8 = icmp ne i8 %7, 0
  br i1 %8, label %9, label %23

9:
  %10 = load i32, ptr %3, align 4
  %11 = load ptr, ptr %2, align 8
  %12 = load i8, ptr %11, align 1
  %13 = zext i8 %12 to i32
  %14 = add i32 %10, %13
  %15 = urem i32 %14, 65521
  store i32 %15, ptr %3, align 4
  %16 = load i32, ptr %4, align 4
  %17 = load i32, ptr %3, align 4
  %18 = add i32 %16, %17
  %19 = urem i32 %18, 65521
  store i32 %19, ptr %4, align 4
  br label %20

20:
  %21 = load ptr, ptr %2, align 8
  %22 = getelementptr inbounds nuw i8, ptr %21, i32 1
  store ptr %22, ptr %2, align 8
  br label %5, !llvm.loop !9

23:
  %24 = load i32, ptr %4, align 4
  %25 = shl i32 %24, 16
  %26 = load i32, ptr %3, align 4
  %27 = or i32 %25, %26
  ret i32 %27
}

define dso_local i32 @fletcher16(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %5

5:
  %6 = load ptr, ptr %2, align 8
  %7 = load i8, ptr %6, align 1
  %8 = icmp ne i8 %7, 0
  br i1 %8, label %9, label %23

9:
  %10 = load i32, ptr %3, align 4
  %11 = load ptr, ptr %2, align 8
  %12 = load i8, ptr %11, align 1
  %13 = zext i8 %12 to i32
  %14 = add i32 %10, %13
  %15 = urem i32 %14, 255
  store i32 %15, ptr %3, align 4
  %16 = load i32, ptr %4, align 4
  %17 = load i32, ptr %3, align 4
  %18 = add i32 %16, %17
  %19 = urem i32 %18, 255
  store i32 %19, ptr %4, align 4
  br label %20

20:
  %21 = load ptr, ptr %2, align 8
  %22 = getelementptr inbounds nuw i8, ptr %21, i32 1
  store ptr %22, ptr %2, align 8
  br label %5, !llvm.loop !10

23:
  %24 = load i32, ptr %4, align 4
  %25 = shl i32 %24, 8
  %26 = load i32, ptr %3, align 4
  %27 = or i32 %25, %26
  ret i32 %27
}

define dso_local i32 @rotate(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %5 = load i32, ptr %3, align 4
  %6 = load i32, ptr %4, align 4
  %7 = shl i32 %5, %6
  %8 = load i32, ptr %3, align 4
  %9 = load i32, ptr %4, align 4
  %10 = sub nsw i32 32, %9
  %11 = lshr i32 %8, %10
  %12 = or i32 %7, %11
  ret i32 %12
}

define dso_local i32 @scramble(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = mul i32 %3, -862048943
  %5 = call i32 @rotate(i32 noundef %4, i32 noundef 15)
  %6 = mul i32 %5, 461845907
  ret i32 %6
}

define dso_local i32 @murmur3(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %13 = load ptr, ptr %3, align 8
  store ptr %13, ptr %5, align 8
  %14 = load ptr, ptr %3, align 8
  %15 = call i32 @length_of(ptr noundef %14)
  store i32 %15, ptr %6, align 4
  %16 = load i32, ptr %6, align 4
  %17 = and i32 %16, -4
  store i32 %17, ptr %7, align 4
  %18 = load i32, ptr %4, align 4
  store i32 %18, ptr %8, align 4
  store i32 0, ptr %9, align 4
  store i32 0, ptr %10, align 4
  br label %19

19:
  %20 = load i32, ptr %10, align 4
  %21 = load i32, ptr %7, align 4
  %22 = icmp slt i32 %20, %21
  br i1 %22, label %23, label %67

23:
  %24 = load ptr, ptr %5, align 8
  %25 = load i32, ptr %10, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds i8, ptr %24, i64 %26
  %28 = load i8, ptr %27, align 1
  %29 = zext i8 %28 to i32
  %30 = load ptr, ptr %5, align 8
  %31 = load i32, ptr %10, align 4
  %32 = add nsw i32 %31, 1
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds i8, ptr %30, i64 %33
  %35 = load i8, ptr %34, align 1
  %36 = zext i8 %35 to i32
  %37 = shl i32 %36, 8
  %38 = or i32 %29, %37
  %39 = load ptr, ptr %5, align 8
  %40 = load i32, ptr %10, align 4
  %41 = add nsw i32 %40, 2
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds i8, ptr %39, i64 %42
  %44 = load i8, ptr %43, align 1
  %45 = zext i8 %44 to i32
  %46 = shl i32 %45, 16
  %47 = or i32 %38, %46
  %48 = load ptr, ptr %5, align 8
  %49 = load i32, ptr %10, align 4
  %50 = add nsw i32 %49, 3
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds i8, ptr %48, i64 %51
  %53 = load i8, ptr %52, align 1
  %54 = zext i8 %53 to i32
  %55 = shl i32 %54, 24
  %56 = or i32 %47, %55
  store i32 %56, ptr %11, align 4
  %57 = load i32, ptr %8, align 4
  %58 = load i32, ptr %11, align 4
  %59 = call i32 @scramble(i32 noundef %58)
  %60 = xor i32 %57, %59
  %61 = call i32 @rotate(i32 noundef %60, i32 noundef 13)
  %62 = mul i32 %61, 5
  %63 = add i32 %62, -430675100
  store i32 %63, ptr %8, align 4
  br label %64

64:
  %65 = load i32, ptr %10, align 4
  %66 = add nsw i32 %65, 4
  store i32 %66, ptr %10, align 4
  br label %19, !llvm.loop !11

67:
  %68 = load i32, ptr %6, align 4
  %69 = sub nsw i32 %68, 1
  store i32 %69, ptr %12, align 4
  br label %70

70:
  %71 = load i32, ptr %12, align 4
  %72 = load i32, ptr %7, align 4
  %73 = icmp sge i32 %71, %72
  br i1 %73, label %74, label %87

74:
  %75 = load i32, ptr %9, align 4
  %76 = shl i32 %75, 8
  %77 = load ptr, ptr %5, align 8
  %78 = load i32, ptr %12, align 4
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds i8, ptr %77, i64 %79
  %81 = load i8, ptr %80, align 1
  %82 = zext i8 %81 to i32
  %83 = or i32 %76, %82
  store i32 %83, ptr %9, align 4
  br label %84

84:
  %85 = load i32, ptr %12, align 4
  %86 = add nsw i32 %85, -1
  store i32 %86, ptr %12, align 4
  br label %70, !llvm.loop !12

87:
  %88 = load i32, ptr %9, align 4
  %89 = call i32 @scramble(i32 noundef %88)
  %90 = load i32, ptr %8, align 4
  %91 = xor i32 %90, %89
  store i32 %91, ptr %8, align 4
  %92 = load i32, ptr %6, align 4
  %93 = load i32, ptr %8, align 4
  %94 = xor i32 %93, %92
  store i32 %94, ptr %8, align 4
  %95 = load i32, ptr %8, align 4
  %96 = load i32, ptr %8, align 4
  %97 = lshr i32 %96, 16
  %98 = xor i32 %95, %97
  %99 = mul i32 %98, -2048144789
  store i32 %99, ptr %8, align 4
  %100 = load i32, ptr %8, align 4
  %101 = load i32, ptr %8, align 4
  %102 = lshr i32 %101, 13
  %103 = xor i32 %100, %102
  %104 = mul i32 %103, -1028477387
  store i32 %104, ptr %8, align 4
  %105 = load i32, ptr %8, align 4
  %106 = load i32, ptr %8, align 4
  %107 = lshr i32 %106, 16
  %108 = xor i32 %105, %107
  ret i32 %108
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  br label %3

3:
  %4 = load i32, ptr %2, align 4
  %5 = icmp slt i32 %4, 5
  br i1 %5, label %6, label %41

6:
  %7 = load i32, ptr %2, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [5 x ptr], ptr @main.words, i64 0, i64 %8
  %10 = load ptr, ptr %9, align 8
  %11 = call i32 @fnv1a(ptr noundef %10)
  %12 = load i32, ptr %2, align 4
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [5 x ptr], ptr @main.words, i64 0, i64 %13
  %15 = load ptr, ptr %14, align 8
  %16 = call i32 @djb2(ptr noundef %15)
  %17 = load i32, ptr %2, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [5 x ptr], ptr @main.words, i64 0, i64 %18
  %20 = load ptr, ptr %19, align 8
  %21 = call i32 @sdbm(ptr noundef %20)
  %22 = load i32, ptr %2, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [5 x ptr], ptr @main.words, i64 0, i64 %23
  %25 = load ptr, ptr %24, align 8
  %26 = call i32 @adler32(ptr noundef %25)
  %27 = load i32, ptr %2, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [5 x ptr], ptr @main.words, i64 0, i64 %28
  %30 = load ptr, ptr %29, align 8
  %31 = call i32 @fletcher16(ptr noundef %30)
  %32 = load i32, ptr %2, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [5 x ptr], ptr @main.words, i64 0, i64 %33
  %35 = load ptr, ptr %34, align 8
  %36 = call i32 @murmur3(ptr noundef %35, i32 noundef -1756908916)
  %37 = call i32 (ptr, ...) @printf(ptr noundef @.str.5, i32 noundef %11, i32 noundef %16, i32 noundef %21, i32 noundef %26, i32 noundef %31, i32 noundef %36)
  br label %38

38:
  %39 = load i32, ptr %2, align 4
  %40 = add nsw i32 %39, 1
  store i32 %40, ptr %2, align 4
  br label %3, !llvm.loop !13

41:
  %42 = call i32 @fnv1a(ptr noundef @.str.1)
  %43 = icmp ne i32 %42, -468965076
  br i1 %43, label %53, label %44

44:
  %45 = call i32 @adler32(ptr noundef @.str.3)
  %46 = icmp ne i32 %45, 300286872
  br i1 %46, label %53, label %47

47:
  %48 = call i32 @fletcher16(ptr noundef @.str.6)
  %49 = icmp ne i32 %48, 51440
  br i1 %49, label %53, label %50

50:
  %51 = call i32 @murmur3(ptr noundef @.str, i32 noundef 1)
  %52 = icmp ne i32 %51, 1364076727
  br label %53

53:
  %54 = phi i1 [ true, %47 ], [ true, %44 ], [ true, %41 ], [ %52, %50 ]
  %55 = zext i1 %54 to i32
  ret i32 %55
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
!11 = distinct !{!11, !5}
!12 = distinct !{!12, !5}
!13 = distinct !{!13, !5}
