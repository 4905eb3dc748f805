source_filename = "encodings.c"

@letters = internal constant [65 x i8] c"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/\00", align 16
@main.codes = internal constant [7 x i32] [i32 36, i32 162, i32 8364, i32 66376, i32 2047, i32 2048, i32 65533], align 16
@main.numbers = internal constant [6 x i32] [i32 0, i32 127, i32 128, i32 300, i32 624485, i32 -1], align 16
@.str = private unnamed_addr constant [12 x i8] c"light work.\00", align 1
@.str.1 = private unnamed_addr constant [4 x i8] c"%s\0A\00", align 1
@.str.2 = private unnamed_addr constant [13 x i8] c"%d %d %d %d\0A\00", align 1

define dso_local i32 @encode_base64(ptr noundef %0, i32 noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store ptr %2, ptr %6, align 8
  store i32 0, ptr %7, align 4
  store i32 0, ptr %8, align 4
  br label %12

12:
  %13 = load i32, ptr %8, align 4
  %14 = load i32, ptr %5, align 4
  %15 = icmp slt i32 %13, %14
  br i1 %15, label %16, label %90

16:
  %17 = load i32, ptr %5, align 4
  %18 = load i32, ptr %8, align 4
  %19 = sub nsw i32 %17, %18
  store i32 %19, ptr %9, align 4
  %20 = load ptr, ptr %4, align 8
  %21 = load i32, ptr %8, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds i8, ptr %20, i64 %22
  %24 = load i8, ptr %23, align 1
  %25 = zext i8 %24 to i32
  %26 = shl i32 %25, 16
  %27 = load i32, ptr %9, align 4
  %28 = icmp sgt i32 %27, 1
  br i1 %28, label %29, label %38

29:
  %30 = load ptr, ptr %4, align 8
  %31 = load i32, ptr %8, align 4
  %32 = add nsw i32 %31, 1
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds i8, ptr %30, i64 %33
  %35 = load i8, ptr %34, align 1
  %36 = zext i8 %35 to i32
  %37 = shl i32 %36, 8
  br label %39

38:
  br label %39

39:
  %40 = phi i32 [ %37, %29 ], [ 0, %38 ]
  %41 = or i32 %26, %40
  %42 = load i32, ptr %9, align 4
  %43 = icmp sgt i32 %42, 2
  br i1 %43, label %44, label %52

44:
  %45 = load ptr, ptr %4, align 8
  %46 = load i32, ptr %8, align 4
  %47 = add nsw i32 %46, 2
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds i8, ptr %45, i64 %48
  %50 = load i8, ptr %49, align 1
  %51 = zext i8 %50 to i32
  br label %53

52:
  br label %53

53:
  %54 = phi i32 [ %51, %44 ], [ 0, %52 ]
  %55 = or i32 %41, %54
  store i32 %55, ptr %10, align 4
  store i32 0, ptr %11, align 4
  br label %56

56:
  %57 = load i32, ptr %11, align 4
  %58 = icmp slt i32 %57, 4
  br i1 %58, label %59, label %86

59:
  %60 = load i32, ptr %11, align 4
  %61 = load i32, ptr %9, align 4
  %62 = icmp sle i32 %60, %61
  br i1 %62, label %63, label %74

63:
  %64 = load i32, ptr %10, align 4
  %65 = load i32, ptr %11, align 4
  %66 = mul nsw i32 6, %65
  %67 = sub nsw i32 18, %66
  %68 = ashr i32 %64, %67
  %69 = and i32 %68, 63
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds [65 x i8], ptr @letters, i64 0, i64 %70
  %72 = load i8, ptr %71, align 1
  %73 = sext i8 %72 to i32
  br label %75

74:
  br label %75

75:
  %76 = phi i32 [ %73, %63 ], [ 61, %74 ]
  %77 = trunc i32 %76 to i8
  %78 = load ptr, ptr %6, align 8
  %79 = load i32, ptr %7, align 4
  %80 = add nsw i32 %79, 1
  store i32 %80, ptr %7, align 4
  %81 = sext i32 %79 to i64
  %82 = getelementptr inbounds i8, ptr %78, i64 %81
  store i8 %77, ptr %82, align 1
  br label %83

83:
  %84 = load i32, ptr %11, align 4
  %85 = add nsw i32 %84, 1
  store i32 %85, ptr %11, align 4
  br label %56, !llvm.loop !4

86:
  br label %87

87:
  %88 = load i32, ptr %8, align 4
  %89 = add nsw i32 %88, 3
  store i32 %89, ptr %8, align 4
  br label %12, !llvm.loop !6

90:
  %91 = load ptr, ptr %6, align 8
  %92 = load i32, ptr %7, align 4
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds i8, ptr %91, i64 %93
  store i8 0, ptr %94, align 1
  %95 = load i32, ptr %7, align 4
  ret i32 %95
}

define dso_local i32 @letter_value(i8 noundef signext %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i8, align 1
  %4 = alloca i32, align 4
  store i8 %0, ptr %3, align 1
  store i32 0, ptr %4, align 4
  br label %5

5:
  %6 = load i32, ptr %4, align 4
  %7 = icmp slt i32 %6, 64
  br i1 %7, label %8, label %23

8:
  %9 = load i32, ptr %4, align 4
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [65 x i8], ptr @letters, i64 0, i64 %10
  %12 = load i8, ptr %11, align 1
  %13 = sext i8 %12 to i32
  %14 = load i8, ptr %3, align 1
  %15 = sext i8 %14 to i32
  %16 = icmp eq i32 %13, %15
  br i1 %16, label %17, label %19

17:
  %18 = load i32, ptr %4, align 4
  store i32 %18, ptr %2, align 4
  br label %24

19:
  br label %20

20:
  %21 = load i32, ptr %4, align 4
  %22 = add nsw i32 %21, 1
  store i32 %22, ptr %4, align 4
  br label %5, !llvm.loop !7

23:
  store i32 -1, ptr %2, align 4
  br label %24

24:
  %25 = load i32, ptr %2, align 4
  ret i32 %25
}

define dso_local i32 @decode_base64(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %8

8:
  %9 = load ptr, ptr %3, align 8
  %10 = load i8, ptr %9, align 1
  %11 = sext i8 %10 to i32
  %12 = icmp ne i32 %11, 0
  br i1 %12, label %13, label %18

13:
  %14 = load ptr, ptr %3, align 8
  %15 = load i8, ptr %14, align 1
  %16 = sext i8 %15 to i32
  %17 = icmp ne i32 %16, 61
  br label %18

18:
  %19 = phi i1 [ false, %8 ], [ %17, %13 ]
  br i1 %19, label %20, label %48

20:
  %21 = load i32, ptr %6, align 4
  %22 = shl i32 %21, 6
  %23 = load ptr, ptr %3, align 8
  %24 = load i8, ptr %23, align 1
  %25 = call i32 @letter_value(i8 noundef signext %24)
  %26 = or i32 %22, %25
  %27 = and i32 %26, 65535
  store i32 %27, ptr %6, align 4
  %28 = load i32, ptr %7, align 4
  %29 = add nsw i32 %28, 6
  store i32 %29, ptr %7, align 4
  %30 = load i32, ptr %7, align 4
  %31 = icmp sge i32 %30, 8
  br i1 %31, label %32, label %44

32:
  %33 = load i32, ptr %7, align 4
  %34 = sub nsw i32 %33, 8
  store i32 %34, ptr %7, align 4
  %35 = load i32, ptr %6, align 4
  %36 = load i32, ptr %7, align 4
  %37 = ashr i32 %35, %36
  %38 = trunc i32 %37 to i8
  %39 = load ptr, ptr %4, align 8
  %40 = load i32, ptr %5, align 4
  %41 = add nsw i32 %40, 1
  store i32 %41, ptr %5, align 4
  %42 = sext i32 %40 to i64
  %43 = getelementptr inbounds i8, ptr %39, i64 %42
  store i8 %38, ptr %43, align 1
  br label %44

44:
  br label %45

45:
  %46 = load ptr, ptr %3, align 8
  %47 = getelementptr inbounds nuw i8, ptr %46, i32 1
  store ptr %47, ptr %3, align 8
  br label %8, !llvm.loop !8

48:
  %49 = load i32, ptr %5, align 4
  ret i32 %49
}

define dso_local i32 @put_utf8(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
  store ptr %1, ptr %5, align 8
  %8 = load i32, ptr %4, align 4
  %9 = icmp slt i32 %8, 128
  br i1 %9, label %10, label %15

10:
  %11 = load i32, ptr %4, align 4
  %12 = trunc i32 %11 to i8
  %13 = load ptr, ptr %5, align 8
  %14 = getelementptr inbounds i8, ptr %13, i64 0
  store i8 %12, ptr %14, align 1
  store i32 1, ptr %3, align 4
  br label %54

15:
  %16 = load i32, ptr %4, align 4
  %17 = icmp slt i32 %16, 2048
  br i1 %17, label %18, label %19

18:
  br label %24

19:
  %20 = load i32, ptr %4, align 4
  %21 = icmp slt i32 %20, 65536
  %22 = zext i1 %21 to i64
  %23 = select i1 %21, i32 3, i32 4
  br label %24

24:
  %25 = phi i32 [ 2, %18 ], [ %23, %19 ]
  store i32 %25, ptr %6, align 4
  %26 = load i32, ptr %6, align 4
  %27 = sub nsw i32 %26, 1
  store i32 %27, ptr %7, align 4
  br label %28

28:
  %29 = load i32, ptr %7, align 4
  %30 = icmp sgt i32 %29, 0
  br i1 %30, label %31, label %45

31:
  %32 = load i32, ptr %4, align 4
  %33 = and i32 %32, 63
  %34 = or i32 128, %33
  %35 = trunc i32 %34 to i8
  %36 = load ptr, ptr %5, align 8
  %37 = load i32, ptr %7, align 4
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds i8, ptr %36, i64 %38
  store i8 %35, ptr %39, align 1
  br label %40

40:
  %41 = load i32, ptr %7, align 4
  %42 = add nsw i32 %41, -1
  store i32 %42, ptr %7, align 4
  %43 = load i32, ptr %4, align 4
  %44 = ashr i32 %43, 6
  store i32 %44, ptr %4, align 4
  br label %28, !llvm.loop !9

45:
  %46 = load i32, ptr %6, align 4
  %47 = ashr i32 3840, %46
  %48 = load i32, ptr %4, align 4
  %49 = or i32 %47, %48
  %50 = trunc i32 %49 to i8
  %51 = load ptr, ptr %5, align 8
  %52 = getelementptr inbounds i8, ptr %51, i64 0
  store i8 %50, ptr %52, align 1
  %53 = load i32, ptr %6, align 4
  store i32 %53, ptr %3, align 4
  br label %54

54:
  %55 = load i32, ptr %3, align 4
  ret i32 %55
}

define dso_local i32 @get_utf8(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %7 = load ptr, ptr %3, align 8
  %8 = getelementptr inbounds i8, ptr %7, i64 0
  %9 = load i8, ptr %8, align 1
  %10 = zext i8 %9 to i32
  %11 = icmp slt i32 %10, 128
  br i1 %11, label %12, label %13

12:
  br label %30

13:
  %14 = load ptr, ptr %3, align 8
  %15 = getelementptr inbounds i8, ptr %14, i64 0
  %16 = load i8, ptr %15, align 1
  %17 = zext i8 %16 to i32
  %18 = icmp slt i32 %17, 224
  br i1 %18, label %19, label %20

19:
  br label %28

20:
  %21 = load ptr, ptr %3, align 8
  %22 = getelementptr inbounds i8, ptr %21, i64 0
  %23 = load i8, ptr %22, align 1
  %24 = zext i8 %23 to i32
  %25 = icmp slt i32 %24, 240
  %26 = zext i1 %25 to i64
  %27 = select i1 %25, i32 3, i32 4
  br label %28

28:
  %29 = phi i32 [ 2, %19 ], [ %27, %20 ]
  br label %30

30:
  %31 = phi i32 [ 1, %12 ], [ %29, %28 ]
  store i32 %31, ptr %5, align 4
  %32 = load i32, ptr %5, align 4
  %33 = icmp eq i32 %32, 1
  br i1 %33, label %34, label %39

34:
  %35 = load ptr, ptr %3, align 8
  %36 = getelementptr inbounds i8, ptr %35, i64 0
  %37 = load i8, ptr %36, align 1
  %38 = zext i8 %37 to i32
  br label %47

39:
  %40 = load ptr, ptr %3, align 8
  %41 = getelementptr inbounds i8, ptr %40, i64 0
  %42 = load i8, ptr %41, align 1
  %43 = zext i8 %42 to i32
  %44 = load i32, ptr %5, align 4
  %45 = ashr i32 127, %44
  %46 = and i32 %43, %45
  br label %47

47:
  %48 = phi i32 [ %38, %34 ], [ %46, %39 ]
  %49 = load ptr, ptr %4, align 8
  store i32 %48, ptr %49, align 4
  store i32 1, ptr %6, align 4
  br label %50

50:
  %51 = load i32, ptr %6, align 4
  %52 = load i32, ptr %5, align 4
  %53 = icmp slt i32 %51, %52
  br i1 %53, label %54, label %70

54:
  %55 = load ptr, ptr %4, align 8
  %56 = load i32, ptr %55, align 4
  %57 = shl i32 %56, 6
  %58 = load ptr, ptr %3, align 8
  %59 = load i32, ptr %6, align 4
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds i8, ptr %58, i64 %60
  %62 = load i8, ptr %61, align 1
  %63 = zext i8 %62 to i32
  %64 = and i32 %63, 63
  %65 = or i32 %57, %64
  %66 = load ptr, ptr %4, align 8
  store i32 %65, ptr %66, align 4
  br label %67

67:
  %68 = load i32, ptr %6, align 4
  %69 = add nsw i32 %68, 1
  store i32 %69, ptr %6, align 4
  br label %50, !llvm.loop !10

70:
  %71 = load i32, ptr %5, align 4
  ret i32 %71
}

define dso_local i32 @put_varint(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store ptr %1, ptr %4, align 8
  store i32 0, ptr %5, align 4
  br label %6

6:
  %7 = load i32, ptr %3, align 4
  %8 = icmp uge i32 %7, 128
  br i1 %8, label %9, label %21

9:
  %10 = load i32, ptr %3, align 4
  %11 = or i32 %10, 128
  %12 = trunc i32 %11 to i8
  %13 = load ptr, ptr %4, align 8
  %14 = load i32, ptr %5, align 4
  %15 = add nsw i32 %14, 1
  store i32 %15, ptr %5, align 4
  %16 = sext i32 %14 to i64
  %17 = getelementptr inbounds i8, ptr %13, i64 %16
  store i8 %12, ptr %17, align 1
  br label %18

18:
  %19 = load i32, ptr %3, align 4
  %20 = lshr i32 %19, 7
  store i32 %20, ptr %3, align 4
  br label %6, !llvm.loop !11

21:
  %22 = load i32, ptr %3, align 4
  %23 = trunc i32 %22 to i8
  %24 = load ptr, ptr %4, align 8
  %25 = load i32, ptr %5, align 4
  %26 = add nsw i32 %25, 1
  store i32 %26, ptr %5, align 4
  %27 = sext i32 %25 to i64
  %28 = getelementptr inbounds i8, ptr %24, i64 %27
  store i8 %23, ptr %28, align 1
  %29 = load i32, ptr %5, align 4
  ret i32 %29
}

define dso_local i32 @get_varint(ptr noundef %0) #0 {
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
  %8 = zext i8 %7 to i32
  %9 = and i32 %8, 128
  %10 = icmp ne i32 %9, 0
  br i1 %10, label %11, label %25

11:
  %12 = load ptr, ptr %2, align 8
  %13 = load i8, ptr %12, align 1
  %14 = zext i8 %13 to i32
  %15 = and i32 %14, 127
  %16 = load i32, ptr %4, align 4
  %17 = shl i32 %15, %16
  %18 = load i32, ptr %3, align 4
  %19 = or i32 %18, %17
  store i32 %19, ptr %3, align 4
  br label %20

20:
  %21 = load ptr, ptr %2, align 8
  %22 = getelementptr inbounds nuw i8, ptr %21, i32 1
  store ptr %22, ptr %2, align 8
  %23 = load i32, ptr %4, align 4
  %24 = add nsw i32 %23, 7
  store i32 %24, ptr %4, align 4
  br label %5, !llvm.loop !12

25:
  %26 = load i32, ptr %3, align 4
  %27 = load ptr, ptr %2, align 8
  %28 = load i8, ptr %27, align 1
  %29 = zext i8 %28 to i32
  %30 = load i32, ptr %4, align 4
  %31 = shl i32 %29, %30
  %32 = or i32 %26, %31
  ret i32 %32
}

define dso_local i32 @pack_runs(ptr noundef %0, i32 noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store ptr %2, ptr %6, align 8
  store i32 0, ptr %7, align 4
  store i32 0, ptr %8, align 4
  br label %10

10:
  %11 = load i32, ptr %8, align 4
  %12 = load i32, ptr %5, align 4
  %13 = icmp slt i32 %11, %12
  br i1 %13, label %14, label %66

14:
  store i32 1, ptr %9, align 4
  br label %15

15:
  %16 = load i32, ptr %9, align 4
  %17 = icmp slt i32 %16, 255
  br i1 %17, label %18, label %40

18:
  %19 = load i32, ptr %8, align 4
  %20 = load i32, ptr %9, align 4
  %21 = add nsw i32 %19, %20
  %22 = load i32, ptr %5, align 4
  %23 = icmp slt i32 %21, %22
  br i1 %23, label %24, label %40

24:
  %25 = load ptr, ptr %4, align 8
  %26 = load i32, ptr %8, align 4
  %27 = load i32, ptr %9, align 4
  %28 = add nsw i32 %26, %27
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i8, ptr %25, i64 %29
  %31 = load i8, ptr %30, align 1
  %32 = zext i8 %31 to i32
  %33 = load ptr, ptr %4, align 8
  %34 = load i32, ptr %8, align 4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds i8, ptr %33, i64 %35
  %37 = load i8, ptr %36, align 1
  %38 = zext i8 %37 to i32
  %39 = icmp eq i32 %32, %38
  br label %40

40:
  %41 = phi i1 [ false, %18 ], [ false, %15 ], [ %39, %24 ]
  br i1 %41, label %42, label %45

42:
  %43 = load i32, ptr %9, align 4
  %44 = add nsw i32 %43, 1
  store i32 %44, ptr %9, align 4
  br label %15, !llvm.loop !13

45:
  %46 = load i32, ptr %9, align 4
  %47 = trunc i32 %46 to i8
  %48 = load ptr, ptr %6, align 8
  %49 = load i32, ptr %7, align 4
  %50 = add nsw i32 %49, 1
  store i32 %50, ptr %7, align 4
  %51 = sext i32 %49 to i64
  %52 = getelementptr inbounds i8, ptr %48, i64 %51
  store i8 %47, ptr %52, align 1
  %53 = load ptr, ptr %4, align 8
  %54 = load i32, ptr %8, align 4
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds i8, ptr %53, i64 %55
  %57 = load i8, ptr %56, align 1
  %58 = load ptr, ptr %6, align 8
  %59 = load i32, ptr %7, align 4
  %60 = add nsw i32 %59, 1
  store i32 %60, ptr %7, align 4
  %61 = sext i32 %59 to i64
  %62 = getelementptr inbounds i8, ptr %58, i64 %61
  store i8 %57, ptr %62, align 1
  %63 = load i32, ptr %9, align 4
  %64 = load i32, ptr %8, align 4
  %65 = add nsw i32 %64, %63
  store i32 %65, ptr %8, align 4
  br label %10, !llvm.loop !14

66:
  %67 = load i32, ptr %7, align 4
  ret i32 %67
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca [64 x i8], align 16
  %3 = alloca [128 x i8], align 16
  %4 = alloca [128 x i8], align 16
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %19

19:
  %20 = load i32, ptr %7, align 4
  %21 = icmp slt i32 %20, 20
  br i1 %21, label %22, label %78

22:
  store i32 0, ptr %8, align 4
  br label %23

23:
  %24 = load i32, ptr %8, align 4
  %25 = load i32, ptr %7, align 4
  %26 = icmp slt i32 %24, %25
  br i1 %26, label %27, label %39

27:
  %28 = load i32, ptr %8, align 4
  %29 = mul nsw i32 %28, 53
  %30 = load i32, ptr %7, align 4
  %31 = add nsw i32 %29, %30
  %32 = trunc i32 %31 to i8
  %33 = load i32, ptr %8, align 4
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 %34
  store i8 %32, ptr %35, align 1
  br label %36

36:
  %37 = load i32, ptr %8, align 4
  %38 = add nsw i32 %37, 1
  store i32 %38, ptr %8, align 4
  br label %23, !llvm.loop !15

39:
  %40 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %41 = load i32, ptr %7, align 4
  %42 = getelementptr inbounds [128 x i8], ptr %4, i64 0, i64 0
  %43 = call i32 @encode_base64(ptr noundef %40, i32 noundef %41, ptr noundef %42)
  %44 = getelementptr inbounds [128 x i8], ptr %4, i64 0, i64 0
  %45 = getelementptr inbounds [128 x i8], ptr %3, i64 0, i64 0
  %46 = call i32 @decode_base64(ptr noundef %44, ptr noundef %45)
  %47 = load i32, ptr %7, align 4
  %48 = icmp ne i32 %46, %47
  %49 = zext i1 %48 to i32
  %50 = load i32, ptr %5, align 4
  %51 = add nsw i32 %50, %49
  store i32 %51, ptr %5, align 4
  store i32 0, ptr %9, align 4
  br label %52

52:
  %53 = load i32, ptr %9, align 4
  %54 = load i32, ptr %7, align 4
  %55 = icmp slt i32 %53, %54
  br i1 %55, label %56, label %74

56:
  %57 = load i32, ptr %9, align 4
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 %58
  %60 = load i8, ptr %59, align 1
  %61 = zext i8 %60 to i32
  %62 = load i32, ptr %9, align 4
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds [128 x i8], ptr %3, i64 0, i64 %63
  %65 = load i8, ptr %64, align 1
  %66 = zext i8 %65 to i32
  %67 = icmp ne i32 %61, %66
  %68 = zext i1 %67 to i32
  %69 = load i32, ptr %5, align 4
  %70 = add nsw i32 %69, %68
  store i32 %70, ptr %5, align 4
  br label %71

71:
  %72 = load i32, ptr %9, align 4
  %73 = add nsw i32 %72, 1
  store i32 %73, ptr %9, align 4
  br label %52, !llvm.loop !16

74:
  br label %75

75:
  %76 = load i32, ptr %7, align 4
  %77 = add nsw i32 %76, 1
  store i32 %77, ptr %7, align 4
  br label %19, !llvm.loop !17

78:
  %79 = getelementptr inbounds [128 x i8], ptr %4, i64 0, i64 0
  %80 = call i32 @encode_base64(ptr noundef @.str, i32 noundef 11, ptr noundef %79)
  %81 = getelementptr inbounds [128 x i8], ptr %4, i64 0, i64 0
  %82 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, ptr noundef %81)
  %83 = getelementptr inbounds [128 x i8], ptr %4, i64 0, i64 15
  %84 = load i8, ptr %83, align 1
  %85 = sext i8 %84 to i32
  %86 = icmp ne i32 %85, 61
  br i1 %86, label %92, label %87

87:
  %88 = getelementptr inbounds [128 x i8], ptr %4, i64 0, i64 14
  %89 = load i8, ptr %88, align 2
  %90 = sext i8 %89 to i32
  %91 = icmp ne i32 %90, 52
  br label %92

92:
  %93 = phi i1 [ true, %78 ], [ %91, %87 ]
  %94 = zext i1 %93 to i32
  %95 = load i32, ptr %5, align 4
  %96 = add nsw i32 %95, %94
  store i32 %96, ptr %5, align 4
  store i32 0, ptr %10, align 4
  br label %97

97:
  %98 = load i32, ptr %10, align 4
  %99 = icmp slt i32 %98, 7
  br i1 %99, label %100, label %144

100:
  %101 = load i32, ptr %10, align 4
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds [7 x i32], ptr @main.codes, i64 0, i64 %102
  %104 = load i32, ptr %103, align 4
  %105 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %106 = call i32 @put_utf8(i32 noundef %104, ptr noundef %105)
  store i32 %106, ptr %12, align 4
  %107 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %108 = call i32 @get_utf8(ptr noundef %107, ptr noundef %11)
  %109 = load i32, ptr %12, align 4
  %110 = icmp ne i32 %108, %109
  br i1 %110, label %118, label %111

111:
  %112 = load i32, ptr %11, align 4
  %113 = load i32, ptr %10, align 4
  %114 = sext i32 %113 to i64
  %115 = getelementptr inbounds [7 x i32], ptr @main.codes, i64 0, i64 %114
  %116 = load i32, ptr %115, align 4
  %117 = icmp ne i32 %112, %116
  br label %118

118:
  %119 = phi i1 [ true, %100 ], [ %117, %111 ]
  %120 = zext i1 %119 to i32
  %121 = load i32, ptr %5, align 4
  %122 = add nsw i32 %121, %120
  store i32 %122, ptr %5, align 4
  store i32 0, ptr %13, align 4
  br label %123

123:
  %124 = load i32, ptr %13, align 4
  %125 = load i32, ptr %12, align 4
  %126 = icmp slt i32 %124, %125
  br i1 %126, label %127, label %140

127:
  %128 = load i32, ptr %6, align 4
  %129 = mul nsw i32 %128, 31
  %130 = srem i32 %129, 65521
  %131 = load i32, ptr %13, align 4
  %132 = sext i32 %131 to i64
  %133 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 %132
  %134 = load i8, ptr %133, align 1
  %135 = zext i8 %134 to i32
  %136 = add nsw i32 %130, %135
  store i32 %136, ptr %6, align 4
  br label %137

137:
  %138 = load i32, ptr %13, align 4
  %139 = add nsw i32 %138, 1
  store i32 %139, ptr %13, align 4
  br label %123, !llvm.loop !18

140:
  br label %141

141:
  %142 = load i32, ptr %10, align 4
  %143 = add nsw i32 %142, 1
  store i32 %143, ptr %10, align 4
  br label %97, !llvm.loop !19

144:
  store i32 0, ptr %14, align 4
  br label %145

145:
  %146 = load i32, ptr %14, align 4
  %147 = icmp slt i32 %146, 6
  br i1 %147, label %148, label %171

148:
  %149 = load i32, ptr %14, align 4
  %150 = sext i32 %149 to i64
  %151 = getelementptr inbounds [6 x i32], ptr @main.numbers, i64 0, i64 %150
  %152 = load i32, ptr %151, align 4
  %153 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %154 = call i32 @put_varint(i32 noundef %152, ptr noundef %153)
  %155 = mul nsw i32 100, %154
  %156 = load i32, ptr %6, align 4
  %157 = add nsw i32 %156, %155
  store i32 %157, ptr %6, align 4
  %158 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %159 = call i32 @get_varint(ptr noundef %158)
  %160 = load i32, ptr %14, align 4
  %161 = sext i32 %160 to i64
  %162 = getelementptr inbounds [6 x i32], ptr @main.numbers, i64 0, i64 %161
  %163 = load i32, ptr %162, align 4
  %164 = icmp ne i32 %159, %163
  %165 = zext i1 %164 to i32
  %166 = load i32, ptr %5, align 4
  %167 = add nsw i32 %166, %165
  store i32 %167, ptr %5, align 4
  br label %168

168:
  %169 = load i32, ptr %14, align 4
  %170 = add nsw i32 %169, 1
  store i32 %170, ptr %14, align 4
  br label %145, !llvm.loop !20

171:
  store i32 0, ptr %15, align 4
  br label %172

172:
  %173 = load i32, ptr %15, align 4
  %174 = icmp slt i32 %173, 64
  br i1 %174, label %175, label %187

175:
  %176 = load i32, ptr %15, align 4
  %177 = load i32, ptr %15, align 4
  %178 = mul nsw i32 %176, %177
  %179 = sdiv i32 %178, 300
  %180 = trunc i32 %179 to i8
  %181 = load i32, ptr %15, align 4
  %182 = sext i32 %181 to i64
  %183 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 %182
  store i8 %180, ptr %183, align 1
  br label %184

184:
  %185 = load i32, ptr %15, align 4
  %186 = add nsw i32 %185, 1
  store i32 %186, ptr %15, align 4
  br label %172, !llvm.loop !21

187:
  %188 = getelementptr inbounds [64 x i8], ptr %2, i64 0, i64 0
  %189 = getelementptr inbounds [128 x i8], ptr %3, i64 0, i64 0
  %190 = call i32 @pack_runs(ptr noundef %188, i32 noundef 64, ptr noundef %189)
  store i32 %190, ptr %16, align 4
  store i32 0, ptr %17, align 4
  store i32 0, ptr %18, align 4
  br label %191

191:
  %192 = load i32, ptr %18, align 4
  %193 = load i32, ptr %16, align 4
  %194 = icmp slt i32 %192, %193
  br i1 %194, label %195, label %206

195:
  %196 = load i32, ptr %18, align 4
  %197 = sext i32 %196 to i64
  %198 = getelementptr inbounds [128 x i8], ptr %3, i64 0, i64 %197
  %199 = load i8, ptr %198, align 1
  %200 = zext i8 %199 to i32
  %201 = load i32, ptr %17, align 4
  %202 = add nsw i32 %201, %200
  store i32 %202, ptr %17, align 4
  br label %203

203:
  %204 = load i32, ptr %18, align 4
  %205 = add nsw i32 %204, 2
  store i32 %205, ptr %18, align 4
  br label %191, !llvm.loop !22

206:
  %207 = load i32, ptr %6, align 4
  %208 = load i32, ptr %16, align 4
  %209 = load i32, ptr %17, align 4
  %210 = load i32, ptr %5, align 4
  %211 = call i32 (ptr, ...) @printf(ptr noundef @.str.2, i32 noundef %207, i32 noundef %208, i32 noundef %209, i32 noundef %210)
  %212 = load i32, ptr %5, align 4
  %213 = icmp ne i32 %212, 0
  br i1 %213, label %217, label %214

214:
  %215 = load i32, ptr %17, align 4
  %216 = icmp ne i32 %215, 64
  br label %217

217:
  %218 = phi i1 [ true, %206 ], [ %216, %214 ]
  %219 = zext i1 %218 to i32
  ret i32 %219
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
!17 = distinct !{!17, !5}
!18 = distinct !{!18, !5}
!19 = distinct !{!19, !5}
!20 = distinct !{!20, !5}
!21 = distinct !{!21, !5}
!22 = distinct !{!22, !5}
