source_filename = "siphash.c"

@.str = private unnamed_addr constant [25 x i8] c"%016llx %016llx %016llx\0A\00", align 1

define dso_local i64 @rotate_left(i64 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i64, align 8
  %4 = alloca i32, align 4
  store i64 %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %5 = load i64, ptr %3, align 8
  %6 = load i32, ptr %4, align 4
  %7 = zext i32 %6 to i64
  %8 = shl i64 %5, %7
  %9 = load i64, ptr %3, align 8
  %10 = load i32, ptr %4, align 4
  %11 = sub nsw i32 64, %10
  %12 = zext i32 %11 to i64
  %13 = lshr i64 %9, %12
  %14 = or i64 %8, %13
  ret i64 %14
}

define dso_local void @mix(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds i64, ptr %3, i64 1
  %5 = load i64, ptr %4, align 8
  %6 = load ptr, ptr %2, align 8
  %7 = getelementptr inbounds i64, ptr %6, i64 0
  %8 = load i64, ptr %7, align 8
  %9 = add i64 %8, %5
  store i64 %9, ptr %7, align 8
  %10 = load ptr, ptr %2, align 8
  %11 = getelementptr inbounds i64, ptr %10, i64 1
  %12 = load i64, ptr %11, align 8
  %13 = call i64 @rotate_left(i64 noundef %12, i32 noundef 13)
  %14 = load ptr, ptr %2, align 8
  %15 = getelementptr inbounds i64, ptr %14, i64 0
  %16 = load i64, ptr %15, align 8
  %17 = xor i64 %13, %16
  %18 = load ptr, ptr %2, align 8
  %19 = getelementptr inbounds i64, ptr %18, i64 1
  store i64 %17, ptr %19, align 8
  %20 = load ptr, ptr %2, align 8
  %21 = getelementptr inbounds i64, ptr %20, i64 0
  %22 = load i64, ptr %21, align 8
  %23 = call i64 @rotate_left(i64 noundef %22, i32 noundef 32)
  %24 = load ptr, ptr %2, align 8
  %25 = getelementptr inbounds i64, ptr %24, i64 0
  store i64 %23, ptr %25, align 8
  %26 = load ptr, ptr %2, align 8
  %27 = getelementptr inbounds i64, ptr %26, i64 3
  %28 = load i64, ptr %27, align 8
  %29 = load ptr, ptr %2, align 8
  %30 = getelementptr inbounds i64, ptr %29, i64 2
  %31 = load i64, ptr %30, align 8
  %32 = add i64 %31, %28
  store i64 %32, ptr %30, align 8
  %33 = load ptr, ptr %2, align 8
  %34 = getelementptr inbounds i64, ptr %33, i64 3
  %35 = load i64, ptr %34, align 8
  %36 = call i64 @rotate_left(i64 noundef %35, i32 noundef 16)
  %37 = load ptr, ptr %2, align 8
  %38 = getelementptr inbounds i64, ptr %37, i64 2
  %39 = load i64, ptr %38, align 8
  %40 = xor i64 %36, %39
  %41 = load ptr, ptr %2, align 8
  %42 = getelementptr inbounds i64, ptr %41, i64 3
  store i64 %40, ptr %42, align 8
  %43 = load ptr, ptr %2, align 8
  %44 = getelementptr inbounds i64, ptr %43, i64 3
  %45 = load i64, ptr %44, align 8
  %46 = load ptr, ptr %2, align 8
  %47 = getelementptr inbounds i64, ptr %46, i64 0
  %48 = load i64, ptr %47, align 8
  %49 = add i64 %48, %45
  store i64 %49, ptr %47, align 8
  %50 = load ptr, ptr %2, align 8
  %51 = getelementptr inbounds i64, ptr %50, i64 3
  %52 = load i64, ptr %51, align 8
  %53 = call i64 @rotate_left(i64 noundef %52, i32 noundef 21)
  %54 = load ptr, ptr %2, align 8
  %55 = getelementptr inbounds i64, ptr %54, i64 0
  %56 = load i64, ptr %55, align 8
  %57 = xor i64 %53, %56
  %58 = load ptr, ptr %2, align 8
  %59 = getelementptr inbounds i64, ptr %58, i64 3
  store i64 %57, ptr %59, align 8
  %60 = load ptr, ptr %2, align 8
  %61 = getelementptr inbounds i64, ptr %60, i64 1
  %62 = load i64, ptr %61, align 8
  %63 = load ptr, ptr %2, align 8
  %64 = getelementptr inbounds i64, ptr %63, i64 2
  %65 = load i64, ptr %64, align 8
  %66 = add i64 %65, %62
  store i64 %66, ptr %64, align 8
  %67 = load ptr, ptr %2, align 8
  %68 = getelementptr inbounds i64, ptr %67, i64 1
  %69 = load i64, ptr %68, align 8
  %70 = call i64 @rotate_left(i64 noundef %69, i32 noundef 17)
  %71 = load ptr, ptr %2, align 8
  %72 = getelementptr inbounds i64, ptr %71, i64 2
  %73 = load i64, ptr %72, align 8
  %74 = xor i64 %70, %73
  %75 = load ptr, ptr %2, align 8
  %76 = getelementptr inbounds i64, ptr %75, i64 1
  store i64 %74, ptr %76, align 8
  %77 = load ptr, ptr %2, align 8
  %78 = getelementptr inbounds i64, ptr %77, i64 2
  %79 = load i64, ptr %78, align 8
  %80 = call i64 @rotate_left(i64 noundef %79, i32 noundef 32)
  %81 = load ptr, ptr %2, align 8
  %82 = getelementptr inbounds i64, ptr %81, i64 2
  store i64 %80, ptr %82, align 8
  ret void
}

define dso_local i64 @read_word(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i64, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i64 0, ptr %5, align 8
  store i32 0, ptr %6, align 4
  br label %7

7:
  %8 = load i32, ptr %6, align 4
  %9 = load i32, ptr %4, align 4
  %10 = icmp slt i32 %8, %9
  br i1 %10, label %11, label %27

11:
  %12 = load ptr, ptr %3, align 8
  %13 = load i32, ptr %6, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds i8, ptr %12, i64 %14
  %16 = load i8, ptr %15, align 1
  %17 = zext i8 %16 to i64
  %18 = load i32, ptr %6, align 4
  %19 = mul nsw i32 8, %18
  %20 = zext i32 %19 to i64
  %21 = shl i64 %17, %20
  %22 = load i64, ptr %5, align 8
  %23 = or i64 %22, %21
  store i64 %23, ptr %5, align 8
  br label %24

24:
  %25 = load i32, ptr %6, align 4
  %26 = add nsw i32 %25, 1
  store i32 %26, ptr %6, align 4
  br label %7, !llvm.loop !4

27:
  %28 = load i64, ptr %5, align 8
  ret i64 %28
}

define dso_local i64 @siphash(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = alloca [4 x i64], align 16
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i64, align 8
  %13 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i32 %2, ptr %6, align 4
  %14 = load ptr, ptr %4, align 8
  %15 = call i64 @read_word(ptr noundef %14, i32 noundef 8)
  store i64 %15, ptr %7, align 8
  %16 = load ptr, ptr %4, align 8
  %17 = getelementptr inbounds i8, ptr %16, i64 8
  %18 = call i64 @read_word(ptr noundef %17, i32 noundef 8)
  store i64 %18, ptr %8, align 8
  %19 = load i64, ptr %7, align 8
  %20 = xor i64 %19, 8317987319222330741
  store i64 %20, ptr %9, align 8
  %21 = getelementptr inbounds i64, ptr %9, i64 1
  %22 = load i64, ptr %8, align 8
  %23 = xor i64 %22, 7237128888997146477
  store i64 %23, ptr %21, align 8
  %24 = getelementptr inbounds i64, ptr %9, i64 2
  %25 = load i64, ptr %7, align 8
  %26 = xor i64 %25, 7816392313619706465
  store i64 %26, ptr %24, align 8
  %27 = getelementptr inbounds i64, ptr %9, i64 3
  %28 = load i64, ptr %8, align 8
  %29 = xor i64 %28, 8387220255154660723
  store i64 %29, ptr %27, align 8
  store i32 0, ptr %10, align 4
  br label %30

30:
  %31 = load i32, ptr %10, align 4
  %32 = load i32, ptr %6, align 4
  %33 = icmp sle i32 %31, %32
  br i1 %33, label %34, label %72

34:
  %35 = load i32, ptr %6, align 4
  %36 = load i32, ptr %10, align 4
  %37 = sub nsw i32 %35, %36
  store i32 %37, ptr %11, align 4
  %38 = load i32, ptr %11, align 4
  %39 = icmp sge i32 %38, 8
  br i1 %39, label %40, label %46

40:
  %41 = load ptr, ptr %5, align 8
  %42 = load i32, ptr %10, align 4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds i8, ptr %41, i64 %43
  %45 = call i64 @read_word(ptr noundef %44, i32 noundef 8)
  br label %57

46:
  %47 = load ptr, ptr %5, align 8
  %48 = load i32, ptr %10, align 4
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds i8, ptr %47, i64 %49
  %51 = load i32, ptr %11, align 4
  %52 = call i64 @read_word(ptr noundef %50, i32 noundef %51)
  %53 = load i32, ptr %6, align 4
  %54 = sext i32 %53 to i64
  %55 = shl i64 %54, 56
  %56 = or i64 %52, %55
  br label %57

57:
  %58 = phi i64 [ %45, %40 ], [ %56, %46 ]
  store i64 %58, ptr %12, align 8
  %59 = load i64, ptr %12, align 8
  %60 = getelementptr inbounds [4 x i64], ptr %9, i64 0, i64 3
  %61 = load i64, ptr %60, align 8
  %62 = xor i64 %61, %59
  store i64 %62, ptr %60, align 8
  %63 = getelementptr inbounds [4 x i64], ptr %9, i64 0, i64 0
  call void @mix(ptr noundef %63)
  %64 = getelementptr inbounds [4 x i64], ptr %9, i64 0, i64 0
  call void @mix(ptr noundef %64)
  %65 = load i64, ptr %12, align 8
  %66 = getelementptr inbounds [4 x i64], ptr %9, i64 0, i64 0
  %67 = load i64, ptr %66, align 16
  %68 = xor i64 %67, %65
  store i64 %68, ptr %66, align 16
  br label %69

69:
  %70 = load i32, ptr %10, align 4
  %71 = add nsw i32 %70, 8
  store i32 %71, ptr %10, align 4
  br label %30, !llvm.loop !6

72:
  %73 = getelementptr inbounds [4 x i64], ptr %9, i64 0, i64 2
  %74 = load i64, ptr %73, align 16
  %75 = xor i64 %74, 255
  store i64 %75, ptr %73, align 16
  store i32 0, ptr %13, align 4
  br label %76

76:
  %77 = load i32, ptr %13, align 4
  %78 = icmp slt i32 %77, 4
  br i1 %78, label %79, label %84

79:
  %80 = getelementptr inbounds [4 x i64], ptr %9, i64 0, i64 0
  call void @mix(ptr noundef %80)
  br label %81

81:
  %82 = load i32, ptr %13, align 4
  %83 = add nsw i32 %82, 1
  store i32 %83, ptr %13, align 4
  br label %76, !llvm.loop !7

84:
  %85 = getelementptr inbounds [4 x i64], ptr %9, i64 0, i64 0
  %86 = load i64, ptr %85, align 16
  %87 = getelementptr inbounds [4 x i64], ptr %9, i64 0, i64 1
  %88 = load i64, ptr %87, align 8
  %89 = xor i64 %86, %88
  %90 = getelementptr inbounds [4 x i64], ptr %9, i64 0, i64 2
  %91 = load i64, ptr %90, align 16
  %92 = xor i64 %89, %91
  %93 = getelementptr inbounds [4 x i64], ptr %9, i64 0, i64 3
  %94 = load i64, ptr %93, align 8
  %95 = xor i64 %92, %94
  ret i64 %95
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca [16 x i8], align 16
  %3 = alloca [64 x i8], align 16
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i64 0, ptr %4, align 8
  store i32 0, ptr %5, align 4
  br label %7

7:
  %8 = load i32, ptr %5, align 4
  %9 = icmp slt i32 %8, 64
  br i1 %9, label %10, label %28

10:
  %11 = load i32, ptr %5, align 4
  %12 = trunc i32 %11 to i8
  %13 = load i32, ptr %5, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [64 x i8], ptr %3, i64 0, i64 %14
  store i8 %12, ptr %15, align 1
  %16 = load i32, ptr %5, align 4
  %17 = icmp slt i32 %16, 16
  br i1 %17, label %18, label %24

18:
  %19 = load i32, ptr %5, align 4
  %20 = trunc i32 %19 to i8
  %21 = load i32, ptr %5, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [16 x i8], ptr %2, i64 0, i64 %22
  store i8 %20, ptr %23, align 1
  br label %24

24:
  br label %25

25:
  %26 = load i32, ptr %5, align 4
  %27 = add nsw i32 %26, 1
  store i32 %27, ptr %5, align 4
  br label %7, !llvm.loop !8

28:
  store i32 0, ptr %6, align 4
  br label %29

29:
  %30 = load i32, ptr %6, align 4
  %31 = icmp slt i32 %30, 64
  br i1 %31, label %32, label %43

32:
  %33 = load i64, ptr %4, align 8
  %34 = call i64 @rotate_left(i64 noundef %33, i32 noundef 1)
  %35 = getelementptr inbounds [16 x i8], ptr %2, i64 0, i64 0
  %36 = getelementptr inbounds [64 x i8], ptr %3, i64 0, i64 0
  %37 = load i32, ptr %6, align 4
  %38 = call i64 @siphash(ptr noundef %35, ptr noundef %36, i32 noundef %37)
  %39 = xor i64 %34, %38
  store i64 %39, ptr %4, align 8
  br label %40

40:
  %41 = load i32, ptr %6, align 4
  %42 = add nsw i32 %41, 1
  store i32 %42, ptr %6, align 4
  br label %29, !llvm.loop !9

43:
  %44 = getelementptr inbounds [16 x i8], ptr %2, i64 0, i64 0
  %45 = getelementptr inbounds [64 x i8], ptr %3, i64 0, i64 0
  %46 = call i64 @siphash(ptr noundef %44, ptr noundef %45, i32 noundef 0)
  %47 = getelementptr inbounds [16 x i8], ptr %2, i64 0, i64 0
  %48 = getelementptr inbounds [64 x i8], ptr %3, i64 0, i64 0
  %49 = call i64 @siphash(ptr noundef %47, ptr noundef %48, i32 noundef 15)
  %50 = load i64, ptr %4, align 8
  %51 = call i32 (ptr, ...) @printf(ptr noundef @.str, i64 noundef %46, i64 noundef %49, i64 noundef %50)
  %52 = getelementptr inbounds [16 x i8], ptr %2, i64 0, i64 0
  %53 = getelementptr inbounds [64 x i8], ptr %3, i64 0, i64 0
  %54 = call i64 @siphash(ptr noundef %52, ptr noundef %53, i32 noundef 0)
  %55 = icmp ne i64 %54, 8246050544436514353
  br i1 %55, label %61, label %56

56:
  %57 = getelementptr inbounds [16 x i8], ptr %2, i64 0, i64 0
  %58 = getelementptr inbounds [64 x i8], ptr %3, i64 0, i64 0
  %59 = call i64 @siphash(ptr noundef %57, ptr noundef %58, i32 noundef 15)
  %60 = icmp ne i64 %59, -6833708440360172059
  br label %61

61:
  %62 = phi i1 [ true, %43 ], [ %60, %56 ]
  %63 = zext i1 %62 to i32
  ret i32 %63
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
