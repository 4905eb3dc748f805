source_filename = "sudoku.c"

@row_used = internal global [9 x i32] zeroinitializer, align 16
@column_used = internal global [9 x i32] zeroinitializer, align 16
@box_used = internal global [9 x i32] zeroinitializer, align 16
@grid = internal global [81 x i32] zeroinitializer, align 16
@tries = internal global i32 0, align 4
@puzzle = internal constant [82 x i8] c"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\00", align 16
@.str = private unnamed_addr constant [3 x i8] c"%d\00", align 1
@.str.1 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1
@.str.2 = private unnamed_addr constant [7 x i8] c"%d %d\0A\00", align 1

define dso_local i32 @box_of(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = sdiv i32 %3, 27
  %5 = mul nsw i32 %4, 3
  %6 = load i32, ptr %2, align 4
  %7 = srem i32 %6, 9
  %8 = sdiv i32 %7, 3
  %9 = add nsw i32 %5, %8
  ret i32 %9
}

define dso_local void @toggle(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %6 = load i32, ptr %4, align 4
  %7 = shl i32 1, %6
  store i32 %7, ptr %5, align 4
  %8 = load i32, ptr %5, align 4
  %9 = load i32, ptr %3, align 4
  %10 = sdiv i32 %9, 9
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [9 x i32], ptr @row_used, i64 0, i64 %11
  %13 = load i32, ptr %12, align 4
  %14 = xor i32 %13, %8
  store i32 %14, ptr %12, align 4
  %15 = load i32, ptr %5, align 4
  %16 = load i32, ptr %3, align 4
  %17 = srem i32 %16, 9
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [9 x i32], ptr @column_used, i64 0, i64 %18
  %20 = load i32, ptr %19, align 4
  %21 = xor i32 %20, %15
  store i32 %21, ptr %19, align 4
  %22 = load i32, ptr %5, align 4
  %23 = load i32, ptr %3, align 4
  %24 = call i32 @box_of(i32 noundef %23)
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [9 x i32], ptr @box_used, i64 0, i64 %25
  %27 = load i32, ptr %26, align 4
  %28 = xor i32 %27, %22
  store i32 %28, ptr %26, align 4
  %29 = load i32, ptr %3, align 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [81 x i32], ptr @grid, i64 0, i64 %30
  %32 = load i32, ptr %31, align 4
  %33 = icmp ne i32 %32, 0
  br i1 %33, label %34, label %35

34:
  br label %37

35:
  %36 = load i32, ptr %4, align 4
  br label %37

37:
  %38 = phi i32 [ 0, %34 ], [ %36, %35 ]
  %39 = load i32, ptr %3, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [81 x i32], ptr @grid, i64 0, i64 %40
  store i32 %38, ptr %41, align 4
  ret void
}

define dso_local i32 @candidates(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = sdiv i32 %3, 9
  %5 = sext i32 %4 to i64
  %6 = getelementptr inbounds [9 x i32], ptr @row_used, i64 0, i64 %5
  %7 = load i32, ptr %6, align 4
  %8 = load i32, ptr %2, align 4
  %9 = srem i32 %8, 9
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [9 x i32], ptr @column_used, i64 0, i64 %10
  %12 = load i32, ptr %11, align 4
  %13 = or i32 %7, %12
  %14 = load i32, ptr %2, align 4
  %15 = call i32 @box_of(i32 noundef %14)
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [9 x i32], ptr @box_used, i64 0, i64 %16
  %18 = load i32, ptr %17, align 4
  %19 = or i32 %13, %18
  %20 = xor i32 %19, -1
  %21 = and i32 %20, 1022
  ret i32 %21
}

define dso_local i32 @count_bits(i32 noundef %0) #0 {
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
  %8 = load i32, ptr %3, align 4
  %9 = add nsw i32 %8, 1
  store i32 %9, ptr %3, align 4
  br label %10

10:
  %11 = load i32, ptr %2, align 4
  %12 = sub nsw i32 %11, 1
  %13 = load i32, ptr %2, align 4
  %14 = and i32 %13, %12
  store i32 %14, ptr %2, align 4
  br label %4, !llvm.loop !4

15:
  %16 = load i32, ptr %3, align 4
  ret i32 %16
}

define dso_local i32 @solve() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 -1, ptr %2, align 4
  store i32 10, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %8

8:
  %9 = load i32, ptr %4, align 4
  %10 = icmp slt i32 %9, 81
  br i1 %10, label %11, label %32

11:
  %12 = load i32, ptr %4, align 4
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [81 x i32], ptr @grid, i64 0, i64 %13
  %15 = load i32, ptr %14, align 4
  %16 = icmp ne i32 %15, 0
  br i1 %16, label %28, label %17

17:
  %18 = load i32, ptr %4, align 4
  %19 = call i32 @candidates(i32 noundef %18)
  %20 = call i32 @count_bits(i32 noundef %19)
  store i32 %20, ptr %5, align 4
  %21 = load i32, ptr %5, align 4
  %22 = load i32, ptr %3, align 4
  %23 = icmp slt i32 %21, %22
  br i1 %23, label %24, label %27

24:
  %25 = load i32, ptr %5, align 4
  store i32 %25, ptr %3, align 4
  %26 = load i32, ptr %4, align 4
  store i32 %26, ptr %2, align 4
  br label %27

27:
  br label %28

28:
  br label %29

29:
  %30 = load i32, ptr %4, align 4
  %31 = add nsw i32 %30, 1
  store i32 %31, ptr %4, align 4
  br label %8, !llvm.loop !6

32:
  %33 = load i32, ptr %2, align 4
  %34 = icmp slt i32 %33, 0
  br i1 %34, label %35, label %36

35:
  store i32 1, ptr %1, align 4
  br label %64

36:
  %37 = load i32, ptr %2, align 4
  %38 = call i32 @candidates(i32 noundef %37)
  store i32 %38, ptr %6, align 4
  store i32 1, ptr %7, align 4
  br label %39

39:
  %40 = load i32, ptr %7, align 4
  %41 = icmp sle i32 %40, 9
  br i1 %41, label %42, label %63

42:
  %43 = load i32, ptr %6, align 4
  %44 = load i32, ptr %7, align 4
  %45 = ashr i32 %43, %44
  %46 = and i32 %45, 1
  %47 = icmp ne i32 %46, 0
  br i1 %47, label %48, label %59

48:
  %49 = load i32, ptr @tries, align 4
  %50 = add nsw i32 %49, 1
  store i32 %50, ptr @tries, align 4
  %51 = load i32, ptr %2, align 4
  %52 = load i32, ptr %7, align 4
  call void @toggle(i32 noundef %51, i32 noundef %52)
  %53 = call i32 @solve()
  %54 = icmp ne i32 %53, 0
  br i1 %54, label %55, label %56

55:
  store i32 1, ptr %1, align 4
  br label %64

56:
  %57 = load i32, ptr %2, align 4
  %58 = load i32, ptr %7, align 4
  call void @toggle(i32 noundef %57, i32 noundef %58)
  br label %59

59:
  br label %60

60:
  %61 = load i32, ptr %7, align 4
  %62 = add nsw i32 %61, 1
  store i32 %62, ptr %7, align 4
  br label %39, !llvm.loop !7

63:
  store i32 0, ptr %1, align 4
  br label %64

64:
  %65 = load i32, ptr %1, align 4
  ret i32 %65
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %7

7:
  %8 = load i32, ptr %3, align 4
  %9 = icmp slt i32 %8, 81
  br i1 %9, label %10, label %29

10:
  %11 = load i32, ptr %3, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [82 x i8], ptr @puzzle, i64 0, i64 %12
  %14 = load i8, ptr %13, align 1
  %15 = sext i8 %14 to i32
  %16 = icmp ne i32 %15, 46
  br i1 %16, label %17, label %25

17:
  %18 = load i32, ptr %3, align 4
  %19 = load i32, ptr %3, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [82 x i8], ptr @puzzle, i64 0, i64 %20
  %22 = load i8, ptr %21, align 1
  %23 = sext i8 %22 to i32
  %24 = sub nsw i32 %23, 48
  call void @toggle(i32 noundef %18, i32 noundef %24)
  br label %25

25:
  br label %26

26:
  %27 = load i32, ptr %3, align 4
  %28 = add nsw i32 %27, 1
  store i32 %28, ptr %3, align 4
  br label %7, !llvm.loop !8

29:
  %30 = call i32 @solve()
  store i32 %30, ptr %4, align 4
  store i32 0, ptr %5, align 4
  br label %31

31:
  %32 = load i32, ptr %5, align 4
  %33 = icmp slt i32 %32, 9
  br i1 %33, label %34, label %77

34:
  %35 = load i32, ptr %5, align 4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds [9 x i32], ptr @row_used, i64 0, i64 %36
  %38 = load i32, ptr %37, align 4
  %39 = icmp ne i32 %38, 1022
  br i1 %39, label %52, label %40

40:
  %41 = load i32, ptr %5, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [9 x i32], ptr @column_used, i64 0, i64 %42
  %44 = load i32, ptr %43, align 4
  %45 = icmp ne i32 %44, 1022
  br i1 %45, label %52, label %46

46:
  %47 = load i32, ptr %5, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [9 x i32], ptr @box_used, i64 0, i64 %48
  %50 = load i32, ptr %49, align 4
  %51 = icmp ne i32 %50, 1022
  br label %52

52:
  %53 = phi i1 [ true, %40 ], [ true, %34 ], [ %51, %46 ]
  %54 = zext i1 %53 to i32
  %55 = load i32, ptr %2, align 4
  %56 = add nsw i32 %55, %54
  store i32 %56, ptr %2, align 4
  store i32 0, ptr %6, align 4
  br label %57

57:
  %58 = load i32, ptr %6, align 4
  %59 = icmp slt i32 %58, 9
  br i1 %59, label %60, label %72

60:
  %61 = load i32, ptr %5, align 4
  %62 = mul nsw i32 9, %61
  %63 = load i32, ptr %6, align 4
  %64 = add nsw i32 %62, %63
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [81 x i32], ptr @grid, i64 0, i64 %65
  %67 = load i32, ptr %66, align 4
  %68 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %67)
  br label %69

69:
  %70 = load i32, ptr %6, align 4
  %71 = add nsw i32 %70, 1
  store i32 %71, ptr %6, align 4
  br label %57, !llvm.loop !9

72:
  %73 = call i32 (ptr, ...) @printf(ptr noundef @.str.1)
  br label %74

74:
  %75 = load i32, ptr %5, align 4
  %76 = add nsw i32 %75, 1
  store i32 %76, ptr %5, align 4
  br label %31, !llvm.loop !10

77:
  %78 = load i32, ptr @tries, align 4
  %79 = load i32, ptr %2, align 4
  %80 = call i32 (ptr, ...) @printf(ptr noundef @.str.2, i32 noundef %78, i32 noundef %79)
  %81 = load i32, ptr %4, align 4
  %82 = icmp ne i32 %81, 0
  br i1 %82, label %83, label %86

83:
  %84 = load i32, ptr %2, align 4
  %85 = icmp ne i32 %84, 0
  br label %86

86:
  %87 = phi i1 [ true, %77 ], [ %85, %83 ]
  %88 = zext i1 %87 to i32
  ret i32 %88
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
