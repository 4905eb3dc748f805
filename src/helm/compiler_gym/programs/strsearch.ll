source_filename = "strsearch.c"

@main.words = internal constant [7 x ptr] [ptr @.str, ptr @.str.1, ptr @.str.2, ptr @.str.3, ptr @.str.4, ptr @.str.5, ptr @.str.6], align 16
@.str = private unnamed_addr constant [4 x i8] c"was\00", align 1
@.str.1 = private unnamed_addr constant [4 x i8] c"the\00", align 1
@.str.2 = private unnamed_addr constant [7 x i8] c"Season\00", align 1
@.str.3 = private unnamed_addr constant [4 x i8] c"of \00", align 1
@.str.4 = private unnamed_addr constant [15 x i8] c"spring of hope\00", align 1
@.str.5 = private unnamed_addr constant [2 x i8] c"e\00", align 1
@.str.6 = private unnamed_addr constant [21 x i8] c"winter of discontent\00", align 1
@text = internal constant [286 x i8] c"it was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of light, it was the season of darkness, it was the spring of hope, it was the winter of despair\00", align 16
@.str.7 = private unnamed_addr constant [7 x i8] c"%d %d\0A\00", align 1

define dso_local i32 @length(ptr noundef %0) #0 {
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

define dso_local signext i8 @fold(i8 noundef signext %0) #0 {
  %2 = alloca i8, align 1
  store i8 %0, ptr %2, align 1
  %3 = load i8, ptr %2, align 1
  %4 = sext i8 %3 to i32
  %5 = icmp sge i32 %4, 65
  br i1 %5, label %6, label %15

6:
  %7 = load i8, ptr %2, align 1
  %8 = sext i8 %7 to i32
  %9 = icmp sle i32 %8, 90
  br i1 %9, label %10, label %15

10:
  %11 = load i8, ptr %2, align 1
  %12 = sext i8 %11 to i32
  %13 = sub nsw i32 %12, 65
  %14 = add nsw i32 %13, 97
  br label %18

15:
  %16 = load i8, ptr %2, align 1
  %17 = sext i8 %16 to i32
  br label %18

18:
  %19 = phi i32 [ %14, %10 ], [ %17, %15 ]
  %20 = trunc i32 %19 to i8
  ret i8 %20
}

define dso_local i32 @count_naive(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  store i32 0, ptr %5, align 4
  %10 = load ptr, ptr %3, align 8
  %11 = call i32 @length(ptr noundef %10)
  store i32 %11, ptr %6, align 4
  %12 = load ptr, ptr %4, align 8
  %13 = call i32 @length(ptr noundef %12)
  store i32 %13, ptr %7, align 4
  store i32 0, ptr %8, align 4
  br label %14

14:
  %15 = load i32, ptr %8, align 4
  %16 = load i32, ptr %7, align 4
  %17 = add nsw i32 %15, %16
  %18 = load i32, ptr %6, align 4
  %19 = icmp sle i32 %17, %18
  br i1 %19, label %20, label %58

20:
  store i32 0, ptr %9, align 4
  br label %21

21:
  %22 = load i32, ptr %9, align 4
  %23 = load i32, ptr %7, align 4
  %24 = icmp slt i32 %22, %23
  br i1 %24, label %25, label %43

25:
  %26 = load ptr, ptr %3, align 8
  %27 = load i32, ptr %8, align 4
  %28 = load i32, ptr %9, align 4
  %29 = add nsw i32 %27, %28
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds i8, ptr %26, i64 %30
  %32 = load i8, ptr %31, align 1
  %33 = call signext i8 @fold(i8 noundef signext %32)
  %34 = sext i8 %33 to i32
  %35 = load ptr, ptr %4, align 8
  %36 = load i32, ptr %9, align 4
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds i8, ptr %35, i64 %37
  %39 = load i8, ptr %38, align 1
  %40 = call signext i8 @fold(i8 noundef signext %39)
  %41 = sext i8 %40 to i32
  %42 = icmp eq i32 %34, %41
  br label %43

43:
  %44 = phi i1 [ false, %21 ], [ %42, %25 ]
  br i1 %44, label %45, label %48

45:
  %46 = load i32, ptr %9, align 4
  %47 = add nsw i32 %46, 1
  store i32 %47, ptr %9, align 4
  br label %21, !llvm.loop !6

48:
  %49 = load i32, ptr %9, align 4
  %50 = load i32, ptr %7, align 4
  %51 = icmp eq i32 %49, %50
  %52 = zext i1 %51 to i32
  %53 = load i32, ptr %5, align 4
  %54 = add nsw i32 %53, %52
  store i32 %54, ptr %5, align 4
  br label %55

55:
  %56 = load i32, ptr %8, align 4
  %57 = add nsw i32 %56, 1
  store i32 %57, ptr %8, align 4
  br label %14, !llvm.loop !7

58:
  %59 = load i32, ptr %5, align 4
  ret i32 %59
}

define dso_local i32 @count_kmp(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca [33 x i32], align 16
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %12 = load ptr, ptr %4, align 8
  %13 = call i32 @length(ptr noundef %12)
  store i32 %13, ptr %6, align 4
  store i32 0, ptr %7, align 4
  %14 = getelementptr inbounds [33 x i32], ptr %5, i64 0, i64 0
  store i32 -1, ptr %14, align 16
  store i32 0, ptr %8, align 4
  store i32 -1, ptr %9, align 4
  br label %15

15:
  %16 = load i32, ptr %8, align 4
  %17 = load i32, ptr %6, align 4
  %18 = icmp slt i32 %16, %17
  br i1 %18, label %19, label %53

19:
  br label %20

20:
  %21 = load i32, ptr %9, align 4
  %22 = icmp sge i32 %21, 0
  br i1 %22, label %23, label %39

23:
  %24 = load ptr, ptr %4, align 8
  %25 = load i32, ptr %8, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds i8, ptr %24, i64 %26
  %28 = load i8, ptr %27, align 1
  %29 = call signext i8 @fold(i8 noundef signext %28)
  %30 = sext i8 %29 to i32
  %31 = load ptr, ptr %4, align 8
  %32 = load i32, ptr %9, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds i8, ptr %31, i64 %33
  %35 = load i8, ptr %34, align 1
  %36 = call signext i8 @fold(i8 noundef signext %35)
  %37 = sext i8 %36 to i32
  %38 = icmp ne i32 %30, %37
  br label %39

39:
  %40 = phi i1 [ false, %20 ], [ %38, %23 ]
  br i1 %40, label %41, label %46

41:
  %42 = load i32, ptr %9, align 4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [33 x i32], ptr %5, i64 0, i64 %43
  %45 = load i32, ptr %44, align 4
  store i32 %45, ptr %9, align 4
  br label %20, !llvm.loop !8

46:
  %47 = load i32, ptr %9, align 4
  %48 = add nsw i32 %47, 1
  store i32 %48, ptr %9, align 4
  %49 = load i32, ptr %8, align 4
  %50 = add nsw i32 %49, 1
  store i32 %50, ptr %8, align 4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds [33 x i32], ptr %5, i64 0, i64 %51
  store i32 %48, ptr %52, align 4
  br label %15, !llvm.loop !9

53:
  store i32 0, ptr %10, align 4
  store i32 0, ptr %11, align 4
  br label %54

54:
  %55 = load ptr, ptr %3, align 8
  %56 = load i32, ptr %10, align 4
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds i8, ptr %55, i64 %57
  %59 = load i8, ptr %58, align 1
  %60 = icmp ne i8 %59, 0
  br i1 %60, label %61, label %106

61:
  br label %62

62:
  %63 = load i32, ptr %11, align 4
  %64 = icmp sge i32 %63, 0
  br i1 %64, label %65, label %87

65:
  %66 = load i32, ptr %11, align 4
  %67 = load i32, ptr %6, align 4
  %68 = icmp eq i32 %66, %67
  br i1 %68, label %85, label %69

69:
  %70 = load ptr, ptr %3, align 8
  %71 = load i32, ptr %10, align 4
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds i8, ptr %70, i64 %72
  %74 = load i8, ptr %73, align 1
  %75 = call signext i8 @fold(i8 noundef signext %74)
  %76 = sext i8 %75 to i32
  %77 = load ptr, ptr %4, align 8
  %78 = load i32, ptr %11, align 4
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds i8, ptr %77, i64 %79
  %81 = load i8, ptr %80, align 1
  %82 = call signext i8 @fold(i8 noundef signext %81)
  %83 = sext i8 %82 to i32
  %84 = icmp ne i32 %76, %83
  br label %85

85:
  %86 = phi i1 [ true, %65 ], [ %84, %69 ]
  br label %87

87:
  %88 = phi i1 [ false, %62 ], [ %86, %85 ]
  br i1 %88, label %89, label %94

89:
  %90 = load i32, ptr %11, align 4
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds [33 x i32], ptr %5, i64 0, i64 %91
  %93 = load i32, ptr %92, align 4
  store i32 %93, ptr %11, align 4
  br label %62, !llvm.loop !10

94:
  %95 = load i32, ptr %11, align 4
  %96 = add nsw i32 %95, 1
  store i32 %96, ptr %11, align 4
  %97 = load i32, ptr %6, align 4
  %98 = icmp eq i32 %96, %97
  br i1 %98, label %99, label %102

99:
  %100 = load i32, ptr %7, align 4
  %101 = add nsw i32 %100, 1
  store i32 %101, ptr %7, align 4
  br label %102

102:
  br label %103

103:
  %104 = load i32, ptr %10, align 4
  %105 = add nsw i32 %104, 1
  store i32 %105, ptr %10, align 4
  br label %54, !llvm.loop !11

106:
  %107 = load i32, ptr %7, align 4
  ret i32 %107
}

define dso_local i32 @count_horspool(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca [256 x i32], align 16
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %13 = load ptr, ptr %3, align 8
  %14 = call i32 @length(ptr noundef %13)
  store i32 %14, ptr %6, align 4
  %15 = load ptr, ptr %4, align 8
  %16 = call i32 @length(ptr noundef %15)
  store i32 %16, ptr %7, align 4
  store i32 0, ptr %8, align 4
  store i32 0, ptr %9, align 4
  br label %17

17:
  %18 = load i32, ptr %9, align 4
  %19 = icmp slt i32 %18, 256
  br i1 %19, label %20, label %28

20:
  %21 = load i32, ptr %7, align 4
  %22 = load i32, ptr %9, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [256 x i32], ptr %5, i64 0, i64 %23
  store i32 %21, ptr %24, align 4
  br label %25

25:
  %26 = load i32, ptr %9, align 4
  %27 = add nsw i32 %26, 1
  store i32 %27, ptr %9, align 4
  br label %17, !llvm.loop !12

28:
  store i32 0, ptr %10, align 4
  br label %29

29:
  %30 = load i32, ptr %10, align 4
  %31 = load i32, ptr %7, align 4
  %32 = sub nsw i32 %31, 1
  %33 = icmp slt i32 %30, %32
  br i1 %33, label %34, label %50

34:
  %35 = load i32, ptr %7, align 4
  %36 = sub nsw i32 %35, 1
  %37 = load i32, ptr %10, align 4
  %38 = sub nsw i32 %36, %37
  %39 = load ptr, ptr %4, align 8
  %40 = load i32, ptr %10, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i8, ptr %39, i64 %41
  %43 = load i8, ptr %42, align 1
  %44 = call signext i8 @fold(i8 noundef signext %43)
  %45 = zext i8 %44 to i64
  %46 = getelementptr inbounds nuw [256 x i32], ptr %5, i64 0, i64 %45
  store i32 %38, ptr %46, align 4
  br label %47

47:
  %48 = load i32, ptr %10, align 4
  %49 = add nsw i32 %48, 1
  store i32 %49, ptr %10, align 4
  br label %29, !llvm.loop !13

50:
  store i32 0, ptr %11, align 4
  br label %51

51:
  %52 = load i32, ptr %11, align 4
  %53 = load i32, ptr %7, align 4
  %54 = add nsw i32 %52, %53
  %55 = load i32, ptr %6, align 4
  %56 = icmp sle i32 %54, %55
  br i1 %56, label %57, label %107

57:
  %58 = load i32, ptr %7, align 4
  %59 = sub nsw i32 %58, 1
  store i32 %59, ptr %12, align 4
  br label %60

60:
  %61 = load i32, ptr %12, align 4
  %62 = icmp sge i32 %61, 0
  br i1 %62, label %63, label %81

63:
  %64 = load ptr, ptr %3, align 8
  %65 = load i32, ptr %11, align 4
  %66 = load i32, ptr %12, align 4
  %67 = add nsw i32 %65, %66
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds i8, ptr %64, i64 %68
  %70 = load i8, ptr %69, align 1
  %71 = call signext i8 @fold(i8 noundef signext %70)
  %72 = sext i8 %71 to i32
  %73 = load ptr, ptr %4, align 8
  %74 = load i32, ptr %12, align 4
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds i8, ptr %73, i64 %75
  %77 = load i8, ptr %76, align 1
  %78 = call signext i8 @fold(i8 noundef signext %77)
  %79 = sext i8 %78 to i32
  %80 = icmp eq i32 %72, %79
  br label %81

81:
  %82 = phi i1 [ false, %60 ], [ %80, %63 ]
  br i1 %82, label %83, label %86

83:
  %84 = load i32, ptr %12, align 4
  %85 = add nsw i32 %84, -1
  store i32 %85, ptr %12, align 4
  br label %60, !llvm.loop !14

86:
  %87 = load i32, ptr %12, align 4
  %88 = icmp slt i32 %87, 0
  %89 = zext i1 %88 to i32
  %90 = load i32, ptr %8, align 4
  %91 = add nsw i32 %90, %89
  store i32 %91, ptr %8, align 4
  br label %92

92:
  %93 = load ptr, ptr %3, align 8
  %94 = load i32, ptr %11, align 4
  %95 = load i32, ptr %7, align 4
  %96 = add nsw i32 %94, %95
  %97 = sub nsw i32 %96, 1
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds i8, ptr %93, i64 %98
  %100 = load i8, ptr %99, align 1
  %101 = call signext i8 @fold(i8 noundef signext %100)
  %102 = zext i8 %101 to i64
  %103 = getelementptr inbounds nuw [256 x i32], ptr %5, i64 0, i64 %102
  %104 = load i32, ptr %103, align 4
  %105 = load i32, ptr %11, align 4
  %106 = add nsw i32 %105, %104
  store i32 %106, ptr %11, align 4
  br label %51, !llvm.loop !15

107:
  %108 = load i32, ptr %8, align 4
  ret i32 %108
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %6

6:
  %7 = load i32, ptr %4, align 4
  %8 = icmp slt i32 %7, 7
  br i1 %8, label %9, label %41

9:
  %10 = load i32, ptr %4, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [7 x ptr], ptr @main.words, i64 0, i64 %11
  %13 = load ptr, ptr %12, align 8
  %14 = call i32 @count_naive(ptr noundef @text, ptr noundef %13)
  store i32 %14, ptr %5, align 4
  %15 = load i32, ptr %4, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [7 x ptr], ptr @main.words, i64 0, i64 %16
  %18 = load ptr, ptr %17, align 8
  %19 = call i32 @count_kmp(ptr noundef @text, ptr noundef %18)
  %20 = load i32, ptr %5, align 4
  %21 = icmp ne i32 %19, %20
  %22 = zext i1 %21 to i32
  %23 = load i32, ptr %2, align 4
  %24 = add nsw i32 %23, %22
  store i32 %24, ptr %2, align 4
  %25 = load i32, ptr %4, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [7 x ptr], ptr @main.words, i64 0, i64 %26
  %28 = load ptr, ptr %27, align 8
  %29 = call i32 @count_horspool(ptr noundef @text, ptr noundef %28)
  %30 = load i32, ptr %5, align 4
  %31 = icmp ne i32 %29, %30
  %32 = zext i1 %31 to i32
  %33 = load i32, ptr %2, align 4
  %34 = add nsw i32 %33, %32
  store i32 %34, ptr %2, align 4
  %35 = load i32, ptr %5, align 4
  %36 = load i32, ptr %3, align 4
  %37 = add nsw i32 %36, %35
  store i32 %37, ptr %3, align 4
  br label %38

38:
  %39 = load i32, ptr %4, align 4
  %40 = add nsw i32 %39, 1
  store i32 %40, ptr %4, align 4
  br label %6, !llvm.loop !16

41:
  %42 = load i32, ptr %3, align 4
  %43 = load i32, ptr %2, align 4
  %44 = call i32 (ptr, ...) @printf(ptr noundef @.str.7, i32 noundef %42, i32 noundef %43)
  %45 = load i32, ptr %2, align 4
  ret i32 %45
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
!14 = distinct !{!14, !5}
!15 = distinct !{!15, !5}
!16 = distinct !{!16, !5}
