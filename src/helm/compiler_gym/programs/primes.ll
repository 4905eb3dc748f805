source_filename = "primes.c"

@composite = internal global [3000 x i8] zeroinitializer, align 16
@by_euler = internal global [3000 x i8] zeroinitializer, align 16
@found = internal global [3000 x i32] zeroinitializer, align 16
@is_prime.witnesses = internal constant [3 x i32] [i32 2, i32 7, i32 61], align 4
@.str = private unnamed_addr constant [19 x i8] c"%d %d %d %u %u %u\0A\00", align 1

define dso_local i32 @sieve() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 2, ptr %2, align 4
  br label %4

4:
  %5 = load i32, ptr %2, align 4
  %6 = icmp slt i32 %5, 3000
  br i1 %6, label %7, label %35

7:
  %8 = load i32, ptr %2, align 4
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds [3000 x i8], ptr @composite, i64 0, i64 %9
  %11 = load i8, ptr %10, align 1
  %12 = icmp ne i8 %11, 0
  br i1 %12, label %13, label %14

13:
  br label %32

14:
  %15 = load i32, ptr %1, align 4
  %16 = add nsw i32 %15, 1
  store i32 %16, ptr %1, align 4
  %17 = load i32, ptr %2, align 4
  %18 = load i32, ptr %2, align 4
  %19 = mul nsw i32 %17, %18
  store i32 %19, ptr %3, align 4
  br label %20

20:
  %21 = load i32, ptr %3, align 4
  %22 = icmp slt i32 %21, 3000
  br i1 %22, label %23, label %31

23:
  %24 = load i32, ptr %3, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [3000 x i8], ptr @composite, i64 0, i64 %25
  store i8 1, ptr %26, align 1
  br label %27

27:
  %28 = load i32, ptr %2, align 4
  %29 = load i32, ptr %3, align 4
  %30 = add nsw i32 %29, %28
  store i32 %30, ptr %3, align 4
  br label %20, !llvm.loop !4

31:
  br label %32

32:
  %33 = load i32, ptr %2, align 4
  %34 = add nsw i32 %33, 1
  store i32 %34, ptr %2, align 4
  br label %4, !llvm.loop !6

35:
  %36 = load i32, ptr %1, align 4
  ret i32 %36
}

define dso_local i32 @sieve_linear() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 2, ptr %2, align 4
  br label %4

4:
  %5 = load i32, ptr %2, align 4
  %6 = icmp slt i32 %5, 3000
  br i1 %6, label %7, label %59

7:
  %8 = load i32, ptr %2, align 4
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds [3000 x i8], ptr @by_euler, i64 0, i64 %9
  %11 = load i8, ptr %10, align 1
  %12 = icmp ne i8 %11, 0
  br i1 %12, label %19, label %13

13:
  %14 = load i32, ptr %2, align 4
  %15 = load i32, ptr %1, align 4
  %16 = add nsw i32 %15, 1
  store i32 %16, ptr %1, align 4
  %17 = sext i32 %15 to i64
  %18 = getelementptr inbounds [3000 x i32], ptr @found, i64 0, i64 %17
  store i32 %14, ptr %18, align 4
  br label %19

19:
  store i32 0, ptr %3, align 4
  br label %20

20:
  %21 = load i32, ptr %3, align 4
  %22 = load i32, ptr %1, align 4
  %23 = icmp slt i32 %21, %22
  br i1 %23, label %24, label %32

24:
  %25 = load i32, ptr %2, align 4
  %26 = load i32, ptr %3, align 4
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds [3000 x i32], ptr @found, i64 0, i64 %27
  %29 = load i32, ptr %28, align 4
  %30 = mul nsw i32 %25, %29
  %31 = icmp slt i32 %30, 3000
  br label %32

32:
  %33 = phi i1 [ false, %20 ], [ %31, %24 ]
  br i1 %33, label %34, label %55

34:
  %35 = load i32, ptr %2, align 4
  %36 = load i32, ptr %3, align 4
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [3000 x i32], ptr @found, i64 0, i64 %37
  %39 = load i32, ptr %38, align 4
  %40 = mul nsw i32 %35, %39
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [3000 x i8], ptr @by_euler, i64 0, i64 %41
  store i8 1, ptr %42, align 1
  %43 = load i32, ptr %2, align 4
  %44 = load i32, ptr %3, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [3000 x i32], ptr @found, i64 0, i64 %45
  %47 = load i32, ptr %46, align 4
  %48 = srem i32 %43, %47
  %49 = icmp eq i32 %48, 0
  br i1 %49, label %50, label %51

50:
  br label %55

51:
  br label %52

52:
  %53 = load i32, ptr %3, align 4
  %54 = add nsw i32 %53, 1
  store i32 %54, ptr %3, align 4
  br label %20, !llvm.loop !7

55:
  br label %56

56:
  %57 = load i32, ptr %2, align 4
  %58 = add nsw i32 %57, 1
  store i32 %58, ptr %2, align 4
  br label %4, !llvm.loop !8

59:
  %60 = load i32, ptr %1, align 4
  ret i32 %60
}

define dso_local i32 @power(i32 noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  store i32 %0, ptr %4, align 4
  store i32 %1, ptr %5, align 4
  store i32 %2, ptr %6, align 4
  store i64 1, ptr %7, align 8
  %9 = load i32, ptr %4, align 4
  %10 = load i32, ptr %6, align 4
  %11 = urem i32 %9, %10
  %12 = zext i32 %11 to i64
  store i64 %12, ptr %8, align 8
  br label %13

13:
  %14 = load i32, ptr %5, align 4
  %15 = icmp ne i32 %14, 0
  br i1 %15, label %16, label %37

16:
  %17 = load i32, ptr %5, align 4
  %18 = and i32 %17, 1
  %19 = icmp ne i32 %18, 0
  br i1 %19, label %20, label %27

20:
  %21 = load i64, ptr %7, align 8
  %22 = load i64, ptr %8, align 8
  %23 = mul i64 %21, %22
  %24 = load i32, ptr %6, align 4
  %25 = zext i32 %24 to i64
  %26 = urem i64 %23, %25
  store i64 %26, ptr %7, align 8
  br label %27

27:
  br label %28

28:
  %29 = load i32, ptr %5, align 4
  %30 = lshr i32 %29, 1
  store i32 %30, ptr %5, align 4
  %31 = load i64, ptr %8, align 8
  %32 = load i64, ptr %8, align 8
  %33 = mul i64 %31, %32
  %34 = load i32, ptr %6, align 4
  %35 = zext i32 %34 to i64
  %36 = urem i64 %33, %35
  store i64 %36, ptr %8, align 8
  br label %13, !llvm.loop !9

37:
  %38 = load i64, ptr %7, align 8
  %39 = trunc i64 %38 to i32
  ret i32 %39
}

define dso_local i32 @is_prime(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i64, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  %10 = load i32, ptr %3, align 4
  %11 = icmp ult i32 %10, 2
  br i1 %11, label %16, label %12

12:
  %13 = load i32, ptr %3, align 4
  %14 = urem i32 %13, 2
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %16, label %20

16:
  %17 = load i32, ptr %3, align 4
  %18 = icmp eq i32 %17, 2
  %19 = zext i1 %18 to i32
  store i32 %19, ptr %2, align 4
  br label %89

20:
  %21 = load i32, ptr %3, align 4
  %22 = sub i32 %21, 1
  store i32 %22, ptr %4, align 4
  store i32 0, ptr %5, align 4
  br label %23

23:
  %24 = load i32, ptr %4, align 4
  %25 = urem i32 %24, 2
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %27, label %33

27:
  %28 = load i32, ptr %5, align 4
  %29 = add nsw i32 %28, 1
  store i32 %29, ptr %5, align 4
  br label %30

30:
  %31 = load i32, ptr %4, align 4
  %32 = udiv i32 %31, 2
  store i32 %32, ptr %4, align 4
  br label %23, !llvm.loop !10

33:
  store i32 0, ptr %6, align 4
  br label %34

34:
  %35 = load i32, ptr %6, align 4
  %36 = icmp slt i32 %35, 3
  br i1 %36, label %37, label %88

37:
  %38 = load i32, ptr %6, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [3 x i32], ptr @is_prime.witnesses, i64 0, i64 %39
  %41 = load i32, ptr %40, align 4
  %42 = load i32, ptr %3, align 4
  %43 = urem i32 %41, %42
  %44 = icmp eq i32 %43, 0
  br i1 %44, label %45, label %46

45:
  br label %85

46:
  %47 = load i32, ptr %6, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [3 x i32], ptr @is_prime.witnesses, i64 0, i64 %48
  %50 = load i32, ptr %49, align 4
  %51 = load i32, ptr %4, align 4
  %52 = load i32, ptr %3, align 4
  %53 = call i32 @power(i32 noundef %50, i32 noundef %51, i32 noundef %52)
  %54 = zext i32 %53 to i64
  store i64 %54, ptr %7, align 8
  %55 = load i64, ptr %7, align 8
  %56 = icmp eq i64 %55, 1
  %57 = zext i1 %56 to i32
  store i32 %57, ptr %8, align 4
  store i32 0, ptr %9, align 4
  br label %58

58:
  %59 = load i32, ptr %9, align 4
  %60 = load i32, ptr %5, align 4
  %61 = icmp slt i32 %59, %60
  br i1 %61, label %62, label %80

62:
  %63 = load i64, ptr %7, align 8
  %64 = load i32, ptr %3, align 4
  %65 = sub i32 %64, 1
  %66 = zext i32 %65 to i64
  %67 = icmp eq i64 %63, %66
  %68 = zext i1 %67 to i32
  %69 = load i32, ptr %8, align 4
  %70 = or i32 %69, %68
  store i32 %70, ptr %8, align 4
  br label %71

71:
  %72 = load i32, ptr %9, align 4
  %73 = add nsw i32 %72, 1
  store i32 %73, ptr %9, align 4
  %74 = load i64, ptr %7, align 8
  %75 = load i64, ptr %7, align 8
  %76 = mul i64 %74, %75
  %77 = load i32, ptr %3, align 4
  %78 = zext i32 %77 to i64
  %79 = urem i64 %76, %78
  store i64 %79, ptr %7, align 8
  br label %58, !llvm.loop !11

80:
  %81 = load i32, ptr %8, align 4
  %82 = icmp ne i32 %81, 0
  br i1 %82, label %84, label %83

83:
  store i32 0, ptr %2, align 4
  br label %89

84:
  br label %85

85:
  %86 = load i32, ptr %6, align 4
  %87 = add nsw i32 %86, 1
  store i32 %87, ptr %6, align 4
  br label %34, !llvm.loop !12

88:
  store i32 1, ptr %2, align 4
  br label %89

89:
  %90 = load i32, ptr %2, align 4
  ret i32 %90
}

define dso_local i32 @gcd(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  br label %6

6:
  %7 = load i32, ptr %4, align 4
  %8 = icmp ne i32 %7, 0
  br i1 %8, label %9, label %15

9:
  %10 = load i32, ptr %3, align 4
  %11 = load i32, ptr %4, align 4
  %12 = urem i32 %10, %11
  store i32 %12, ptr %5, align 4
  %13 = load i32, ptr %4, align 4
  store i32 %13, ptr %3, align 4
  %14 = load i32, ptr %5, align 4
  store i32 %14, ptr %4, align 4
  br label %6, !llvm.loop !13

15:
  %16 = load i32, ptr %3, align 4
  ret i32 %16
}

define dso_local i32 @find_factor(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  %6 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  store i32 1, ptr %3, align 4
  br label %7

7:
  store i64 2, ptr %4, align 8
  store i64 2, ptr %5, align 8
  store i32 1, ptr %6, align 4
  br label %8

8:
  %9 = load i32, ptr %6, align 4
  %10 = icmp eq i32 %9, 1
  br i1 %10, label %11, label %55

11:
  %12 = load i64, ptr %4, align 8
  %13 = load i64, ptr %4, align 8
  %14 = mul i64 %12, %13
  %15 = load i32, ptr %3, align 4
  %16 = zext i32 %15 to i64
  %17 = add i64 %14, %16
  %18 = load i32, ptr %2, align 4
  %19 = zext i32 %18 to i64
  %20 = urem i64 %17, %19
  store i64 %20, ptr %4, align 8
  %21 = load i64, ptr %5, align 8
  %22 = load i64, ptr %5, align 8
  %23 = mul i64 %21, %22
  %24 = load i32, ptr %3, align 4
  %25 = zext i32 %24 to i64
  %26 = add i64 %23, %25
  %27 = load i32, ptr %2, align 4
  %28 = zext i32 %27 to i64
  %29 = urem i64 %26, %28
  store i64 %29, ptr %5, align 8
  %30 = load i64, ptr %5, align 8
  %31 = load i64, ptr %5, align 8
  %32 = mul i64 %30, %31
  %33 = load i32, ptr %3, align 4
  %34 = zext i32 %33 to i64
  %35 = add i64 %32, %34
  %36 = load i32, ptr %2, align 4
  %37 = zext i32 %36 to i64
  %38 = urem i64 %35, %37
  store i64 %38, ptr %5, align 8
  %39 = load i64, ptr %4, align 8
  %40 = load i64, ptr %5, align 8
  %41 = icmp ugt i64 %39, %40
  br i1 %41, label %42, label %46

42:
  %43 = load i64, ptr %4, align 8
  %44 = load i64, ptr %5, align 8
  %45 = sub i64 %43, %44
  br label %50

46:
  %47 = load i64, ptr %5, align 8
  %48 = load i64, ptr %4, align 8
  %49 = sub i64 %47, %48
  br label %50

50:
  %51 = phi i64 [ %45, %42 ], [ %49, %46 ]
  %52 = trunc i64 %51 to i32
  %53 = load i32, ptr %2, align 4
  %54 = call i32 @gcd(i32 noundef %52, i32 noundef %53)
  store i32 %54, ptr %6, align 4
  br label %8, !llvm.loop !14

55:
  %56 = load i32, ptr %6, align 4
  %57 = load i32, ptr %2, align 4
  %58 = icmp ne i32 %56, %57
  br i1 %58, label %59, label %61

59:
  %60 = load i32, ptr %6, align 4
  ret i32 %60

61:
  br label %62

62:
  %63 = load i32, ptr %3, align 4
  %64 = add i32 %63, 1
  store i32 %64, ptr %3, align 4
  br label %7
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  %8 = call i32 @sieve()
  store i32 %8, ptr %2, align 4
  %9 = call i32 @sieve_linear()
  store i32 %9, ptr %3, align 4
  %10 = load i32, ptr %2, align 4
  %11 = load i32, ptr %3, align 4
  %12 = icmp ne i32 %10, %11
  %13 = zext i1 %12 to i32
  store i32 %13, ptr %4, align 4
  store i32 2, ptr %5, align 4
  br label %14

14:
  %15 = load i32, ptr %5, align 4
  %16 = icmp slt i32 %15, 3000
  br i1 %16, label %17, label %46

17:
  %18 = load i32, ptr %5, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [3000 x i8], ptr @composite, i64 0, i64 %19
  %21 = load i8, ptr %20, align 1
  %22 = zext i8 %21 to i32
  %23 = load i32, ptr %5, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [3000 x i8], ptr @by_euler, i64 0, i64 %24
  %26 = load i8, ptr %25, align 1
  %27 = zext i8 %26 to i32
  %28 = icmp ne i32 %22, %27
  br i1 %28, label %38, label %29

29:
  %30 = load i32, ptr %5, align 4
  %31 = call i32 @is_prime(i32 noundef %30)
  %32 = load i32, ptr %5, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [3000 x i8], ptr @composite, i64 0, i64 %33
  %35 = load i8, ptr %34, align 1
  %36 = zext i8 %35 to i32
  %37 = icmp eq i32 %31, %36
  br label %38

38:
  %39 = phi i1 [ true, %17 ], [ %37, %29 ]
  %40 = zext i1 %39 to i32
  %41 = load i32, ptr %4, align 4
  %42 = add nsw i32 %41, %40
  store i32 %42, ptr %4, align 4
  br label %43

43:
  %44 = load i32, ptr %5, align 4
  %45 = add nsw i32 %44, 1
  store i32 %45, ptr %5, align 4
  br label %14, !llvm.loop !15

46:
  %47 = call i32 @find_factor(i32 noundef 24153)
  store i32 %47, ptr %6, align 4
  %48 = call i32 @find_factor(i32 noundef 1009003027)
  store i32 %48, ptr %7, align 4
  %49 = load i32, ptr %2, align 4
  %50 = load i32, ptr %2, align 4
  %51 = sub nsw i32 %50, 1
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [3000 x i32], ptr @found, i64 0, i64 %52
  %54 = load i32, ptr %53, align 4
  %55 = call i32 @is_prime(i32 noundef 2147483647)
  %56 = load i32, ptr %6, align 4
  %57 = load i32, ptr %7, align 4
  %58 = call i32 @gcd(i32 noundef 461952, i32 noundef 116298)
  %59 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %49, i32 noundef %54, i32 noundef %55, i32 noundef %56, i32 noundef %57, i32 noundef %58)
  %60 = load i32, ptr %4, align 4
  %61 = icmp ne i32 %60, 0
  br i1 %61, label %76, label %62

62:
  %63 = load i32, ptr %6, align 4
  %64 = urem i32 24153, %63
  %65 = icmp ne i32 %64, 0
  br i1 %65, label %76, label %66

66:
  %67 = load i32, ptr %7, align 4
  %68 = urem i32 1009003027, %67
  %69 = icmp ne i32 %68, 0
  br i1 %69, label %76, label %70

70:
  %71 = call i32 @is_prime(i32 noundef -5)
  %72 = icmp ne i32 %71, 0
  br i1 %72, label %73, label %76

73:
  %74 = call i32 @is_prime(i32 noundef -1)
  %75 = icmp ne i32 %74, 0
  br label %76

76:
  %77 = phi i1 [ true, %70 ], [ true, %66 ], [ true, %62 ], [ true, %46 ], [ %75, %73 ]
  %78 = zext i1 %77 to i32
  ret i32 %78
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
