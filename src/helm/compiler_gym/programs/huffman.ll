source_filename = "huffman.c"

@weights = internal global [64 x i32] zeroinitializer, align 16
@left = internal global [64 x i32] zeroinitializer, align 16
@right = internal global [64 x i32] zeroinitializer, align 16
@parents = internal global [64 x i32] zeroinitializer, align 16
@text = internal global [600 x i8] zeroinitializer, align 16
@bits = internal global [19200 x i8] zeroinitializer, align 16
@decoded = internal global [600 x i8] zeroinitializer, align 16
@.str = private unnamed_addr constant [13 x i8] c"%d %d %d %d\0A\00", align 1

define dso_local i32 @take_lightest(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  store i32 -1, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %7

7:
  %8 = load i32, ptr %6, align 4
  %9 = load i32, ptr %3, align 4
  %10 = icmp slt i32 %8, %9
  br i1 %10, label %11, label %43

11:
  %12 = load ptr, ptr %4, align 8
  %13 = load i32, ptr %6, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds i8, ptr %12, i64 %14
  %16 = load i8, ptr %15, align 1
  %17 = icmp ne i8 %16, 0
  br i1 %17, label %39, label %18

18:
  %19 = load i32, ptr %6, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [64 x i32], ptr @weights, i64 0, i64 %20
  %22 = load i32, ptr %21, align 4
  %23 = icmp ne i32 %22, 0
  br i1 %23, label %24, label %39

24:
  %25 = load i32, ptr %5, align 4
  %26 = icmp slt i32 %25, 0
  br i1 %26, label %37, label %27

27:
  %28 = load i32, ptr %6, align 4
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [64 x i32], ptr @weights, i64 0, i64 %29
  %31 = load i32, ptr %30, align 4
  %32 = load i32, ptr %5, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [64 x i32], ptr @weights, i64 0, i64 %33
  %35 = load i32, ptr %34, align 4
  %36 = icmp slt i32 %31, %35
  br i1 %36, label %37, label %39

37:
  %38 = load i32, ptr %6, align 4
  store i32 %38, ptr %5, align 4
  br label %39

39:
  br label %40

40:
  %41 = load i32, ptr %6, align 4
  %42 = add nsw i32 %41, 1
  store i32 %42, ptr %6, align 4
  br label %7, !llvm.loop !4

43:
  %44 = load i32, ptr %5, align 4
  ret i32 %44
}

define dso_local i32 @build_tree() #0 {
  %1 = alloca [64 x i8], align 16
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  call void @llvm.memset.p0.i64(ptr align 16 %1, i8 0, i64 64, i1 false)
  store i32 32, ptr %2, align 4
  br label %5

5:
  %6 = load i32, ptr %2, align 4
  %7 = getelementptr inbounds [64 x i8], ptr %1, i64 0, i64 0
  %8 = call i32 @take_lightest(i32 noundef %6, ptr noundef %7)
  store i32 %8, ptr %3, align 4
  %9 = load i32, ptr %3, align 4
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [64 x i8], ptr %1, i64 0, i64 %10
  store i8 1, ptr %11, align 1
  %12 = load i32, ptr %2, align 4
  %13 = getelementptr inbounds [64 x i8], ptr %1, i64 0, i64 0
  %14 = call i32 @take_lightest(i32 noundef %12, ptr noundef %13)
  store i32 %14, ptr %4, align 4
  %15 = load i32, ptr %4, align 4
  %16 = icmp slt i32 %15, 0
  br i1 %16, label %17, label %19

17:
  %18 = load i32, ptr %3, align 4
  ret i32 %18

19:
  %20 = load i32, ptr %4, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [64 x i8], ptr %1, i64 0, i64 %21
  store i8 1, ptr %22, align 1
  %23 = load i32, ptr %3, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [64 x i32], ptr @weights, i64 0, i64 %24
  %26 = load i32, ptr %25, align 4
  %27 = load i32, ptr %4, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [64 x i32], ptr @weights, i64 0, i64 %28
  %30 = load i32, ptr %29, align 4
  %31 = add nsw i32 %26, %30
  %32 = load i32, ptr %2, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [64 x i32], ptr @weights, i64 0, i64 %33
  store i32 %31, ptr %34, align 4
  %35 = load i32, ptr %3, align 4
  %36 = load i32, ptr %2, align 4
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [64 x i32], ptr @left, i64 0, i64 %37
  store i32 %35, ptr %38, align 4
  %39 = load i32, ptr %4, align 4
  %40 = load i32, ptr %2, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [64 x i32], ptr @right, i64 0, i64 %41
  store i32 %39, ptr %42, align 4
  %43 = load i32, ptr %2, align 4
  %44 = load i32, ptr %4, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [64 x i32], ptr @parents, i64 0, i64 %45
  store i32 %43, ptr %46, align 4
  %47 = load i32, ptr %3, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [64 x i32], ptr @parents, i64 0, i64 %48
  store i32 %43, ptr %49, align 4
  %50 = load i32, ptr %2, align 4
  %51 = add nsw i32 %50, 1
  store i32 %51, ptr %2, align 4
  br label %5
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

define dso_local i32 @encode(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca [64 x i8], align 16
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %8

8:
  %9 = load i32, ptr %4, align 4
  %10 = icmp slt i32 %9, 600
  br i1 %10, label %11, label %60

11:
  store i32 0, ptr %6, align 4
  %12 = load i32, ptr %4, align 4
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [600 x i8], ptr @text, i64 0, i64 %13
  %15 = load i8, ptr %14, align 1
  %16 = zext i8 %15 to i32
  store i32 %16, ptr %7, align 4
  br label %17

17:
  %18 = load i32, ptr %7, align 4
  %19 = load i32, ptr %2, align 4
  %20 = icmp ne i32 %18, %19
  br i1 %20, label %21, label %42

21:
  %22 = load i32, ptr %7, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [64 x i32], ptr @parents, i64 0, i64 %23
  %25 = load i32, ptr %24, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [64 x i32], ptr @right, i64 0, i64 %26
  %28 = load i32, ptr %27, align 4
  %29 = load i32, ptr %7, align 4
  %30 = icmp eq i32 %28, %29
  %31 = zext i1 %30 to i32
  %32 = trunc i32 %31 to i8
  %33 = load i32, ptr %6, align 4
  %34 = add nsw i32 %33, 1
  store i32 %34, ptr %6, align 4
  %35 = sext i32 %33 to i64
  %36 = getelementptr inbounds [64 x i8], ptr %5, i64 0, i64 %35
  store i8 %32, ptr %36, align 1
  br label %37

37:
  %38 = load i32, ptr %7, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [64 x i32], ptr @parents, i64 0, i64 %39
  %41 = load i32, ptr %40, align 4
  store i32 %41, ptr %7, align 4
  br label %17, !llvm.loop !6

42:
  br label %43

43:
  %44 = load i32, ptr %6, align 4
  %45 = icmp ne i32 %44, 0
  br i1 %45, label %46, label %56

46:
  %47 = load i32, ptr %6, align 4
  %48 = add nsw i32 %47, -1
  store i32 %48, ptr %6, align 4
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds [64 x i8], ptr %5, i64 0, i64 %49
  %51 = load i8, ptr %50, align 1
  %52 = load i32, ptr %3, align 4
  %53 = add nsw i32 %52, 1
  store i32 %53, ptr %3, align 4
  %54 = sext i32 %52 to i64
  %55 = getelementptr inbounds [19200 x i8], ptr @bits, i64 0, i64 %54
  store i8 %51, ptr %55, align 1
  br label %43, !llvm.loop !7

56:
  br label %57

57:
  %58 = load i32, ptr %4, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, ptr %4, align 4
  br label %8, !llvm.loop !8

60:
  %61 = load i32, ptr %3, align 4
  ret i32 %61
}

define dso_local i32 @decode(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  store i32 0, ptr %5, align 4
  %8 = load i32, ptr %3, align 4
  store i32 %8, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %9

9:
  %10 = load i32, ptr %7, align 4
  %11 = load i32, ptr %4, align 4
  %12 = icmp slt i32 %10, %11
  br i1 %12, label %13, label %46

13:
  %14 = load i32, ptr %7, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [19200 x i8], ptr @bits, i64 0, i64 %15
  %17 = load i8, ptr %16, align 1
  %18 = zext i8 %17 to i32
  %19 = icmp ne i32 %18, 0
  br i1 %19, label %20, label %25

20:
  %21 = load i32, ptr %6, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [64 x i32], ptr @right, i64 0, i64 %22
  %24 = load i32, ptr %23, align 4
  br label %30

25:
  %26 = load i32, ptr %6, align 4
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds [64 x i32], ptr @left, i64 0, i64 %27
  %29 = load i32, ptr %28, align 4
  br label %30

30:
  %31 = phi i32 [ %24, %20 ], [ %29, %25 ]
  store i32 %31, ptr %6, align 4
  %32 = load i32, ptr %6, align 4
  %33 = icmp slt i32 %32, 32
  br i1 %33, label %34, label %42

34:
  %35 = load i32, ptr %6, align 4
  %36 = trunc i32 %35 to i8
  %37 = load i32, ptr %5, align 4
  %38 = add nsw i32 %37, 1
  store i32 %38, ptr %5, align 4
  %39 = sext i32 %37 to i64
  %40 = getelementptr inbounds [600 x i8], ptr @decoded, i64 0, i64 %39
  store i8 %36, ptr %40, align 1
  %41 = load i32, ptr %3, align 4
  store i32 %41, ptr %6, align 4
  br label %42

42:
  br label %43

43:
  %44 = load i32, ptr %7, align 4
  %45 = add nsw i32 %44, 1
  store i32 %45, ptr %7, align 4
  br label %9, !llvm.loop !9

46:
  %47 = load i32, ptr %5, align 4
  ret i32 %47
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
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 11, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %13

13:
  %14 = load i32, ptr %3, align 4
  %15 = icmp slt i32 %14, 600
  br i1 %15, label %16, label %49

16:
  %17 = load i32, ptr %2, align 4
  %18 = mul i32 %17, 1664525
  %19 = add i32 %18, 1013904223
  store i32 %19, ptr %2, align 4
  %20 = load i32, ptr %2, align 4
  %21 = lshr i32 %20, 27
  store i32 %21, ptr %4, align 4
  %22 = load i32, ptr %2, align 4
  %23 = lshr i32 %22, 22
  %24 = and i32 %23, 31
  store i32 %24, ptr %5, align 4
  %25 = load i32, ptr %4, align 4
  %26 = load i32, ptr %5, align 4
  %27 = icmp slt i32 %25, %26
  br i1 %27, label %28, label %30

28:
  %29 = load i32, ptr %4, align 4
  br label %32

30:
  %31 = load i32, ptr %5, align 4
  br label %32

32:
  %33 = phi i32 [ %29, %28 ], [ %31, %30 ]
  %34 = trunc i32 %33 to i8
  %35 = load i32, ptr %3, align 4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds [600 x i8], ptr @text, i64 0, i64 %36
  store i8 %34, ptr %37, align 1
  %38 = load i32, ptr %3, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [600 x i8], ptr @text, i64 0, i64 %39
  %41 = load i8, ptr %40, align 1
  %42 = zext i8 %41 to i64
  %43 = getelementptr inbounds nuw [64 x i32], ptr @weights, i64 0, i64 %42
  %44 = load i32, ptr %43, align 4
  %45 = add nsw i32 %44, 1
  store i32 %45, ptr %43, align 4
  br label %46

46:
  %47 = load i32, ptr %3, align 4
  %48 = add nsw i32 %47, 1
  store i32 %48, ptr %3, align 4
  br label %13, !llvm.loop !10

49:
  %50 = call i32 @build_tree()
  store i32 %50, ptr %6, align 4
  %51 = load i32, ptr %6, align 4
  %52 = call i32 @encode(i32 noundef %51)
  store i32 %52, ptr %7, align 4
  %53 = load i32, ptr %6, align 4
  %54 = load i32, ptr %7, align 4
  %55 = call i32 @decode(i32 noundef %53, i32 noundef %54)
  store i32 %55, ptr %8, align 4
  %56 = load i32, ptr %8, align 4
  %57 = icmp ne i32 %56, 600
  %58 = zext i1 %57 to i32
  store i32 %58, ptr %9, align 4
  store i32 0, ptr %10, align 4
  store i32 0, ptr %11, align 4
  br label %59

59:
  %60 = load i32, ptr %11, align 4
  %61 = icmp slt i32 %60, 600
  br i1 %61, label %62, label %80

62:
  %63 = load i32, ptr %11, align 4
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [600 x i8], ptr @text, i64 0, i64 %64
  %66 = load i8, ptr %65, align 1
  %67 = zext i8 %66 to i32
  %68 = load i32, ptr %11, align 4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds [600 x i8], ptr @decoded, i64 0, i64 %69
  %71 = load i8, ptr %70, align 1
  %72 = zext i8 %71 to i32
  %73 = icmp ne i32 %67, %72
  %74 = zext i1 %73 to i32
  %75 = load i32, ptr %9, align 4
  %76 = add nsw i32 %75, %74
  store i32 %76, ptr %9, align 4
  br label %77

77:
  %78 = load i32, ptr %11, align 4
  %79 = add nsw i32 %78, 1
  store i32 %79, ptr %11, align 4
  br label %59, !llvm.loop !11

80:
  store i32 0, ptr %12, align 4
  br label %81

81:
  %82 = load i32, ptr %12, align 4
  %83 = load i32, ptr %7, align 4
  %84 = icmp slt i32 %82, %83
  br i1 %84, label %85, label %98

85:
  %86 = load i32, ptr %10, align 4
  %87 = mul nsw i32 %86, 3
  %88 = load i32, ptr %12, align 4
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds [19200 x i8], ptr @bits, i64 0, i64 %89
  %91 = load i8, ptr %90, align 1
  %92 = zext i8 %91 to i32
  %93 = add nsw i32 %87, %92
  %94 = and i32 %93, 16777215
  store i32 %94, ptr %10, align 4
  br label %95

95:
  %96 = load i32, ptr %12, align 4
  %97 = add nsw i32 %96, 1
  store i32 %97, ptr %12, align 4
  br label %81, !llvm.loop !12

98:
  %99 = load i32, ptr %7, align 4
  %100 = load i32, ptr %8, align 4
  %101 = load i32, ptr %10, align 4
  %102 = load i32, ptr %9, align 4
  %103 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %99, i32 noundef %100, i32 noundef %101, i32 noundef %102)
  %104 = load i32, ptr %9, align 4
  %105 = icmp ne i32 %104, 0
  %106 = zext i1 %105 to i32
  ret i32 %106
}

declare dso_local i32 @printf(ptr noundef, ...) #2

attributes #0 = { nounwind "no-trapping-math"="true" }
attributes #1 = { nounwind }
attributes #2 = { "no-trapping-math"="true" }


!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = distinct !{!6, !5}
!7 = distinct !{!7, !5}
!8 = distinct !{!8, !5}
!9 = distinct !{!9, !5}
!10 = distinct !{!10, !5}
!11 = distinct !{!11, !5}
!12 = distinct !{!12, !5}
