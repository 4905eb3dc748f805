source_filename = "spanning.c"

@parent = internal global [24 x i32] zeroinitializer, align 16
@weight = internal global [24 x [24 x i32]] zeroinitializer, align 16
@order = internal global [576 x i32] zeroinitializer, align 16
@capacity = internal global [24 x [24 x i32]] zeroinitializer, align 16
@.str = private unnamed_addr constant [13 x i8] c"%d %d %d %d\0A\00", align 1

define dso_local i32 @find_root(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  br label %3

3:
  %4 = load i32, ptr %2, align 4
  %5 = sext i32 %4 to i64
  %6 = getelementptr inbounds [24 x i32], ptr @parent, i64 0, i64 %5
  %7 = load i32, ptr %6, align 4
  %8 = load i32, ptr %2, align 4
  %9 = icmp ne i32 %7, %8
  br i1 %9, label %10, label %25

10:
  %11 = load i32, ptr %2, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [24 x i32], ptr @parent, i64 0, i64 %12
  %14 = load i32, ptr %13, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [24 x i32], ptr @parent, i64 0, i64 %15
  %17 = load i32, ptr %16, align 4
  %18 = load i32, ptr %2, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [24 x i32], ptr @parent, i64 0, i64 %19
  store i32 %17, ptr %20, align 4
  %21 = load i32, ptr %2, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [24 x i32], ptr @parent, i64 0, i64 %22
  %24 = load i32, ptr %23, align 4
  store i32 %24, ptr %2, align 4
  br label %3, !llvm.loop !4

25:
  %26 = load i32, ptr %2, align 4
  ret i32 %26
}

define dso_local i32 @weight_of(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = sdiv i32 %3, 24
  %5 = sext i32 %4 to i64
  %6 = getelementptr inbounds [24 x [24 x i32]], ptr @weight, i64 0, i64 %5
  %7 = load i32, ptr %2, align 4
  %8 = srem i32 %7, 24
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %9
  %11 = load i32, ptr %10, align 4
  ret i32 %11
}

define dso_local i32 @kruskal() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %10

10:
  %11 = load i32, ptr %3, align 4
  %12 = icmp slt i32 %11, 24
  br i1 %12, label %13, label %79

13:
  %14 = load i32, ptr %3, align 4
  %15 = load i32, ptr %3, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [24 x i32], ptr @parent, i64 0, i64 %16
  store i32 %14, ptr %17, align 4
  %18 = load i32, ptr %3, align 4
  %19 = add nsw i32 %18, 1
  store i32 %19, ptr %4, align 4
  br label %20

20:
  %21 = load i32, ptr %4, align 4
  %22 = icmp slt i32 %21, 24
  br i1 %22, label %23, label %75

23:
  %24 = load i32, ptr %3, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [24 x [24 x i32]], ptr @weight, i64 0, i64 %25
  %27 = load i32, ptr %4, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [24 x i32], ptr %26, i64 0, i64 %28
  %30 = load i32, ptr %29, align 4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %33, label %32

32:
  br label %72

33:
  %34 = load i32, ptr %3, align 4
  %35 = mul nsw i32 %34, 24
  %36 = load i32, ptr %4, align 4
  %37 = add nsw i32 %35, %36
  store i32 %37, ptr %5, align 4
  %38 = load i32, ptr %1, align 4
  %39 = add nsw i32 %38, 1
  store i32 %39, ptr %1, align 4
  store i32 %38, ptr %6, align 4
  br label %40

40:
  %41 = load i32, ptr %6, align 4
  %42 = icmp ne i32 %41, 0
  br i1 %42, label %43, label %53

43:
  %44 = load i32, ptr %6, align 4
  %45 = sub nsw i32 %44, 1
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [576 x i32], ptr @order, i64 0, i64 %46
  %48 = load i32, ptr %47, align 4
  %49 = call i32 @weight_of(i32 noundef %48)
  %50 = load i32, ptr %5, align 4
  %51 = call i32 @weight_of(i32 noundef %50)
  %52 = icmp sgt i32 %49, %51
  br label %53

53:
  %54 = phi i1 [ false, %40 ], [ %52, %43 ]
  br i1 %54, label %55, label %67

55:
  %56 = load i32, ptr %6, align 4
  %57 = sub nsw i32 %56, 1
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds [576 x i32], ptr @order, i64 0, i64 %58
  %60 = load i32, ptr %59, align 4
  %61 = load i32, ptr %6, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [576 x i32], ptr @order, i64 0, i64 %62
  store i32 %60, ptr %63, align 4
  br label %64

64:
  %65 = load i32, ptr %6, align 4
  %66 = add nsw i32 %65, -1
  store i32 %66, ptr %6, align 4
  br label %40, !llvm.loop !6

67:
  %68 = load i32, ptr %5, align 4
  %69 = load i32, ptr %6, align 4
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds [576 x i32], ptr @order, i64 0, i64 %70
  store i32 %68, ptr %71, align 4
  br label %72

72:
  %73 = load i32, ptr %4, align 4
  %74 = add nsw i32 %73, 1
  store i32 %74, ptr %4, align 4
  br label %20, !llvm.loop !7

75:
  br label %76

76:
  %77 = load i32, ptr %3, align 4
  %78 = add nsw i32 %77, 1
  store i32 %78, ptr %3, align 4
  br label %10, !llvm.loop !8

79:
  store i32 0, ptr %7, align 4
  br label %80

80:
  %81 = load i32, ptr %7, align 4
  %82 = load i32, ptr %1, align 4
  %83 = icmp slt i32 %81, %82
  br i1 %83, label %84, label %116

84:
  %85 = load i32, ptr %7, align 4
  %86 = sext i32 %85 to i64
  %87 = getelementptr inbounds [576 x i32], ptr @order, i64 0, i64 %86
  %88 = load i32, ptr %87, align 4
  %89 = sdiv i32 %88, 24
  %90 = call i32 @find_root(i32 noundef %89)
  store i32 %90, ptr %8, align 4
  %91 = load i32, ptr %7, align 4
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds [576 x i32], ptr @order, i64 0, i64 %92
  %94 = load i32, ptr %93, align 4
  %95 = srem i32 %94, 24
  %96 = call i32 @find_root(i32 noundef %95)
  store i32 %96, ptr %9, align 4
  %97 = load i32, ptr %8, align 4
  %98 = load i32, ptr %9, align 4
  %99 = icmp ne i32 %97, %98
  br i1 %99, label %100, label %112

100:
  %101 = load i32, ptr %9, align 4
  %102 = load i32, ptr %8, align 4
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds [24 x i32], ptr @parent, i64 0, i64 %103
  store i32 %101, ptr %104, align 4
  %105 = load i32, ptr %7, align 4
  %106 = sext i32 %105 to i64
  %107 = getelementptr inbounds [576 x i32], ptr @order, i64 0, i64 %106
  %108 = load i32, ptr %107, align 4
  %109 = call i32 @weight_of(i32 noundef %108)
  %110 = load i32, ptr %2, align 4
  %111 = add nsw i32 %110, %109
  store i32 %111, ptr %2, align 4
  br label %112

112:
  br label %113

113:
  %114 = load i32, ptr %7, align 4
  %115 = add nsw i32 %114, 1
  store i32 %115, ptr %7, align 4
  br label %80, !llvm.loop !9

116:
  %117 = load i32, ptr %2, align 4
  ret i32 %117
}

define dso_local i32 @prim() #0 {
  %1 = alloca [24 x i32], align 16
  %2 = alloca [24 x i32], align 16
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  call void @llvm.memset.p0.i64(ptr align 16 %2, i8 0, i64 96, i1 false)
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %9

9:
  %10 = load i32, ptr %4, align 4
  %11 = icmp slt i32 %10, 24
  br i1 %11, label %12, label %23

12:
  %13 = load i32, ptr %4, align 4
  %14 = icmp ne i32 %13, 0
  %15 = zext i1 %14 to i64
  %16 = select i1 %14, i32 1000000, i32 0
  %17 = load i32, ptr %4, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [24 x i32], ptr %1, i64 0, i64 %18
  store i32 %16, ptr %19, align 4
  br label %20

20:
  %21 = load i32, ptr %4, align 4
  %22 = add nsw i32 %21, 1
  store i32 %22, ptr %4, align 4
  br label %9, !llvm.loop !10

23:
  store i32 0, ptr %5, align 4
  br label %24

24:
  %25 = load i32, ptr %5, align 4
  %26 = icmp slt i32 %25, 24
  br i1 %26, label %27, label %110

27:
  store i32 -1, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %28

28:
  %29 = load i32, ptr %7, align 4
  %30 = icmp slt i32 %29, 24
  br i1 %30, label %31, label %56

31:
  %32 = load i32, ptr %7, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [24 x i32], ptr %2, i64 0, i64 %33
  %35 = load i32, ptr %34, align 4
  %36 = icmp ne i32 %35, 0
  br i1 %36, label %52, label %37

37:
  %38 = load i32, ptr %6, align 4
  %39 = icmp slt i32 %38, 0
  br i1 %39, label %50, label %40

40:
  %41 = load i32, ptr %7, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [24 x i32], ptr %1, i64 0, i64 %42
  %44 = load i32, ptr %43, align 4
  %45 = load i32, ptr %6, align 4
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [24 x i32], ptr %1, i64 0, i64 %46
  %48 = load i32, ptr %47, align 4
  %49 = icmp slt i32 %44, %48
  br i1 %49, label %50, label %52

50:
  %51 = load i32, ptr %7, align 4
  store i32 %51, ptr %6, align 4
  br label %52

52:
  br label %53

53:
  %54 = load i32, ptr %7, align 4
  %55 = add nsw i32 %54, 1
  store i32 %55, ptr %7, align 4
  br label %28, !llvm.loop !11

56:
  %57 = load i32, ptr %6, align 4
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds [24 x i32], ptr %2, i64 0, i64 %58
  store i32 1, ptr %59, align 4
  %60 = load i32, ptr %6, align 4
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds [24 x i32], ptr %1, i64 0, i64 %61
  %63 = load i32, ptr %62, align 4
  %64 = load i32, ptr %3, align 4
  %65 = add nsw i32 %64, %63
  store i32 %65, ptr %3, align 4
  store i32 0, ptr %8, align 4
  br label %66

66:
  %67 = load i32, ptr %8, align 4
  %68 = icmp slt i32 %67, 24
  br i1 %68, label %69, label %106

69:
  %70 = load i32, ptr %6, align 4
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds [24 x [24 x i32]], ptr @weight, i64 0, i64 %71
  %73 = load i32, ptr %8, align 4
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [24 x i32], ptr %72, i64 0, i64 %74
  %76 = load i32, ptr %75, align 4
  %77 = icmp ne i32 %76, 0
  br i1 %77, label %78, label %102

78:
  %79 = load i32, ptr %6, align 4
  %80 = sext i32 %79 to i64
  %81 = getelementptr inbounds [24 x [24 x i32]], ptr @weight, i64 0, i64 %80
  %82 = load i32, ptr %8, align 4
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds [24 x i32], ptr %81, i64 0, i64 %83
  %85 = load i32, ptr %84, align 4
  %86 = load i32, ptr %8, align 4
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds [24 x i32], ptr %1, i64 0, i64 %87
  %89 = load i32, ptr %88, align 4
  %90 = icmp slt i32 %85, %89
  br i1 %90, label %91, label %102

91:
  %92 = load i32, ptr %6, align 4
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds [24 x [24 x i32]], ptr @weight, i64 0, i64 %93
  %95 = load i32, ptr %8, align 4
  %96 = sext i32 %95 to i64
  %97 = getelementptr inbounds [24 x i32], ptr %94, i64 0, i64 %96
  %98 = load i32, ptr %97, align 4
  %99 = load i32, ptr %8, align 4
  %100 = sext i32 %99 to i64
  %101 = getelementptr inbounds [24 x i32], ptr %1, i64 0, i64 %100
  store i32 %98, ptr %101, align 4
  br label %102

102:
  br label %103

103:
  %104 = load i32, ptr %8, align 4
  %105 = add nsw i32 %104, 1
  store i32 %105, ptr %8, align 4
  br label %66, !llvm.loop !12

106:
  br label %107

107:
  %108 = load i32, ptr %5, align 4
  %109 = add nsw i32 %108, 1
  store i32 %109, ptr %5, align 4
  br label %24, !llvm.loop !13

110:
  %111 = load i32, ptr %3, align 4
  ret i32 %111
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

define dso_local i32 @push_flow(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca [24 x i32], align 16
  %7 = alloca [24 x i32], align 16
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
  store i32 %1, ptr %5, align 4
  store i32 0, ptr %8, align 4
  store i32 0, ptr %9, align 4
  store i32 1000000, ptr %10, align 4
  store i32 0, ptr %11, align 4
  br label %16

16:
  %17 = load i32, ptr %11, align 4
  %18 = icmp slt i32 %17, 24
  br i1 %18, label %19, label %26

19:
  %20 = load i32, ptr %11, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %21
  store i32 -1, ptr %22, align 4
  br label %23

23:
  %24 = load i32, ptr %11, align 4
  %25 = add nsw i32 %24, 1
  store i32 %25, ptr %11, align 4
  br label %16, !llvm.loop !14

26:
  %27 = load i32, ptr %4, align 4
  %28 = load i32, ptr %4, align 4
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %29
  store i32 %27, ptr %30, align 4
  %31 = load i32, ptr %4, align 4
  %32 = load i32, ptr %9, align 4
  %33 = add nsw i32 %32, 1
  store i32 %33, ptr %9, align 4
  %34 = sext i32 %32 to i64
  %35 = getelementptr inbounds [24 x i32], ptr %7, i64 0, i64 %34
  store i32 %31, ptr %35, align 4
  br label %36

36:
  %37 = load i32, ptr %8, align 4
  %38 = load i32, ptr %9, align 4
  %39 = icmp slt i32 %37, %38
  br i1 %39, label %40, label %46

40:
  %41 = load i32, ptr %5, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %42
  %44 = load i32, ptr %43, align 4
  %45 = icmp slt i32 %44, 0
  br label %46

46:
  %47 = phi i1 [ false, %36 ], [ %45, %40 ]
  br i1 %47, label %48, label %87

48:
  %49 = load i32, ptr %8, align 4
  %50 = add nsw i32 %49, 1
  store i32 %50, ptr %8, align 4
  %51 = sext i32 %49 to i64
  %52 = getelementptr inbounds [24 x i32], ptr %7, i64 0, i64 %51
  %53 = load i32, ptr %52, align 4
  store i32 %53, ptr %12, align 4
  store i32 0, ptr %13, align 4
  br label %54

54:
  %55 = load i32, ptr %13, align 4
  %56 = icmp slt i32 %55, 24
  br i1 %56, label %57, label %86

57:
  %58 = load i32, ptr %12, align 4
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [24 x [24 x i32]], ptr @capacity, i64 0, i64 %59
  %61 = load i32, ptr %13, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [24 x i32], ptr %60, i64 0, i64 %62
  %64 = load i32, ptr %63, align 4
  %65 = icmp sgt i32 %64, 0
  br i1 %65, label %66, label %82

66:
  %67 = load i32, ptr %13, align 4
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %68
  %70 = load i32, ptr %69, align 4
  %71 = icmp slt i32 %70, 0
  br i1 %71, label %72, label %82

72:
  %73 = load i32, ptr %12, align 4
  %74 = load i32, ptr %13, align 4
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %75
  store i32 %73, ptr %76, align 4
  %77 = load i32, ptr %13, align 4
  %78 = load i32, ptr %9, align 4
  %79 = add nsw i32 %78, 1
  store i32 %79, ptr %9, align 4
  %80 = sext i32 %78 to i64
  %81 = getelementptr inbounds [24 x i32], ptr %7, i64 0, i64 %80
  store i32 %77, ptr %81, align 4
  br label %82

82:
  br label %83

83:
  %84 = load i32, ptr %13, align 4
  %85 = add nsw i32 %84, 1
  store i32 %85, ptr %13, align 4
  br label %54, !llvm.loop !15

86:
  br label %36, !llvm.loop !16

87:
  %88 = load i32, ptr %5, align 4
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %89
  %91 = load i32, ptr %90, align 4
  %92 = icmp slt i32 %91, 0
  br i1 %92, label %93, label %94

93:
  store i32 0, ptr %3, align 4
  br label %168

94:
  %95 = load i32, ptr %5, align 4
  store i32 %95, ptr %14, align 4
  br label %96

96:
  %97 = load i32, ptr %14, align 4
  %98 = load i32, ptr %4, align 4
  %99 = icmp ne i32 %97, %98
  br i1 %99, label %100, label %130

100:
  %101 = load i32, ptr %14, align 4
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %102
  %104 = load i32, ptr %103, align 4
  %105 = sext i32 %104 to i64
  %106 = getelementptr inbounds [24 x [24 x i32]], ptr @capacity, i64 0, i64 %105
  %107 = load i32, ptr %14, align 4
  %108 = sext i32 %107 to i64
  %109 = getelementptr inbounds [24 x i32], ptr %106, i64 0, i64 %108
  %110 = load i32, ptr %109, align 4
  %111 = load i32, ptr %10, align 4
  %112 = icmp slt i32 %110, %111
  br i1 %112, label %113, label %124

113:
  %114 = load i32, ptr %14, align 4
  %115 = sext i32 %114 to i64
  %116 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %115
  %117 = load i32, ptr %116, align 4
  %118 = sext i32 %117 to i64
  %119 = getelementptr inbounds [24 x [24 x i32]], ptr @capacity, i64 0, i64 %118
  %120 = load i32, ptr %14, align 4
  %121 = sext i32 %120 to i64
  %122 = getelementptr inbounds [24 x i32], ptr %119, i64 0, i64 %121
  %123 = load i32, ptr %122, align 4
  store i32 %123, ptr %10, align 4
  br label %124

124:
  br label %125

125:
  %126 = load i32, ptr %14, align 4
  %127 = sext i32 %126 to i64
  %128 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %127
  %129 = load i32, ptr %128, align 4
  store i32 %129, ptr %14, align 4
  br label %96, !llvm.loop !17

130:
  %131 = load i32, ptr %5, align 4
  store i32 %131, ptr %15, align 4
  br label %132

132:
  %133 = load i32, ptr %15, align 4
  %134 = load i32, ptr %4, align 4
  %135 = icmp ne i32 %133, %134
  br i1 %135, label %136, label %166

136:
  %137 = load i32, ptr %10, align 4
  %138 = load i32, ptr %15, align 4
  %139 = sext i32 %138 to i64
  %140 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %139
  %141 = load i32, ptr %140, align 4
  %142 = sext i32 %141 to i64
  %143 = getelementptr inbounds [24 x [24 x i32]], ptr @capacity, i64 0, i64 %142
  %144 = load i32, ptr %15, align 4
  %145 = sext i32 %144 to i64
  %146 = getelementptr inbounds [24 x i32], ptr %143, i64 0, i64 %145
  %147 = load i32, ptr %146, align 4
  %148 = sub nsw i32 %147, %137
  store i32 %148, ptr %146, align 4
  %149 = load i32, ptr %10, align 4
  %150 = load i32, ptr %15, align 4
  %151 = sext i32 %150 to i64
  %152 = getelementptr inbounds [24 x [24 x i32]], ptr @capacity, i64 0, i64 %151
  %153 = load i32, ptr %15, align 4
  %154 = sext i32 %153 to i64
  %155 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %154
  %156 = load i32, ptr %155, align 4
  %157 = sext i32 %156 to i64
  %158 = getelementptr inbounds [24 x i32], ptr %152, i64 0, i64 %157
  %159 = load i32, ptr %158, align 4
  %160 = add nsw i32 %159, %149
  store i32 %160, ptr %158, align 4
  br label %161

161:
  %162 = load i32, ptr %15, align 4
  %163 = sext i32 %162 to i64
  %164 = getelementptr inbounds [24 x i32], ptr %6, i64 0, i64 %163
  %165 = load i32, ptr %164, align 4
  store i32 %165, ptr %15, align 4
  br label %132, !llvm.loop !18

166:
  %167 = load i32, ptr %10, align 4
  store i32 %167, ptr %3, align 4
  br label %168

168:
  %169 = load i32, ptr %3, align 4
  ret i32 %169
}

define dso_local i32 @cut_size(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca [24 x i32], align 16
  %4 = alloca [24 x i32], align 16
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  call void @llvm.memset.p0.i64(ptr align 16 %3, i8 0, i64 96, i1 false)
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  %11 = load i32, ptr %2, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [24 x i32], ptr %3, i64 0, i64 %12
  store i32 1, ptr %13, align 4
  %14 = load i32, ptr %2, align 4
  %15 = load i32, ptr %5, align 4
  %16 = add nsw i32 %15, 1
  store i32 %16, ptr %5, align 4
  %17 = sext i32 %15 to i64
  %18 = getelementptr inbounds [24 x i32], ptr %4, i64 0, i64 %17
  store i32 %14, ptr %18, align 4
  br label %19

19:
  %20 = load i32, ptr %5, align 4
  %21 = icmp ne i32 %20, 0
  br i1 %21, label %22, label %60

22:
  %23 = load i32, ptr %5, align 4
  %24 = add nsw i32 %23, -1
  store i32 %24, ptr %5, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [24 x i32], ptr %4, i64 0, i64 %25
  %27 = load i32, ptr %26, align 4
  store i32 %27, ptr %7, align 4
  store i32 0, ptr %8, align 4
  br label %28

28:
  %29 = load i32, ptr %8, align 4
  %30 = icmp slt i32 %29, 24
  br i1 %30, label %31, label %59

31:
  %32 = load i32, ptr %7, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [24 x [24 x i32]], ptr @capacity, i64 0, i64 %33
  %35 = load i32, ptr %8, align 4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds [24 x i32], ptr %34, i64 0, i64 %36
  %38 = load i32, ptr %37, align 4
  %39 = icmp sgt i32 %38, 0
  br i1 %39, label %40, label %55

40:
  %41 = load i32, ptr %8, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [24 x i32], ptr %3, i64 0, i64 %42
  %44 = load i32, ptr %43, align 4
  %45 = icmp ne i32 %44, 0
  br i1 %45, label %55, label %46

46:
  %47 = load i32, ptr %8, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [24 x i32], ptr %3, i64 0, i64 %48
  store i32 1, ptr %49, align 4
  %50 = load i32, ptr %8, align 4
  %51 = load i32, ptr %5, align 4
  %52 = add nsw i32 %51, 1
  store i32 %52, ptr %5, align 4
  %53 = sext i32 %51 to i64
  %54 = getelementptr inbounds [24 x i32], ptr %4, i64 0, i64 %53
  store i32 %50, ptr %54, align 4
  br label %55

55:
  br label %56

56:
  %57 = load i32, ptr %8, align 4
  %58 = add nsw i32 %57, 1
  store i32 %58, ptr %8, align 4
  br label %28, !llvm.loop !19

59:
  br label %19, !llvm.loop !20

60:
  store i32 0, ptr %9, align 4
  br label %61

61:
  %62 = load i32, ptr %9, align 4
  %63 = icmp slt i32 %62, 24
  br i1 %63, label %64, label %98

64:
  store i32 0, ptr %10, align 4
  br label %65

65:
  %66 = load i32, ptr %10, align 4
  %67 = icmp slt i32 %66, 24
  br i1 %67, label %68, label %94

68:
  %69 = load i32, ptr %9, align 4
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds [24 x i32], ptr %3, i64 0, i64 %70
  %72 = load i32, ptr %71, align 4
  %73 = icmp ne i32 %72, 0
  br i1 %73, label %74, label %90

74:
  %75 = load i32, ptr %10, align 4
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds [24 x i32], ptr %3, i64 0, i64 %76
  %78 = load i32, ptr %77, align 4
  %79 = icmp ne i32 %78, 0
  br i1 %79, label %90, label %80

80:
  %81 = load i32, ptr %9, align 4
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds [24 x [24 x i32]], ptr @weight, i64 0, i64 %82
  %84 = load i32, ptr %10, align 4
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds [24 x i32], ptr %83, i64 0, i64 %85
  %87 = load i32, ptr %86, align 4
  %88 = load i32, ptr %6, align 4
  %89 = add nsw i32 %88, %87
  store i32 %89, ptr %6, align 4
  br label %90

90:
  br label %91

91:
  %92 = load i32, ptr %10, align 4
  %93 = add nsw i32 %92, 1
  store i32 %93, ptr %10, align 4
  br label %65, !llvm.loop !21

94:
  br label %95

95:
  %96 = load i32, ptr %9, align 4
  %97 = add nsw i32 %96, 1
  store i32 %97, ptr %9, align 4
  br label %61, !llvm.loop !22

98:
  %99 = load i32, ptr %6, align 4
  ret i32 %99
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
  store i32 0, ptr %1, align 4
  store i32 8, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %5, align 4
  br label %12

12:
  %13 = load i32, ptr %5, align 4
  %14 = icmp slt i32 %13, 24
  br i1 %14, label %15, label %60

15:
  %16 = load i32, ptr %5, align 4
  %17 = add nsw i32 %16, 1
  store i32 %17, ptr %6, align 4
  br label %18

18:
  %19 = load i32, ptr %6, align 4
  %20 = icmp slt i32 %19, 24
  br i1 %20, label %21, label %56

21:
  %22 = load i32, ptr %2, align 4
  %23 = mul i32 %22, 1103515245
  %24 = add i32 %23, 12345
  store i32 %24, ptr %2, align 4
  %25 = load i32, ptr %2, align 4
  %26 = lshr i32 %25, 16
  %27 = srem i32 %26, 100
  store i32 %27, ptr %7, align 4
  %28 = load i32, ptr %6, align 4
  %29 = load i32, ptr %5, align 4
  %30 = add nsw i32 %29, 1
  %31 = icmp eq i32 %28, %30
  br i1 %31, label %35, label %32

32:
  %33 = load i32, ptr %7, align 4
  %34 = icmp slt i32 %33, 30
  br i1 %34, label %35, label %38

35:
  %36 = load i32, ptr %7, align 4
  %37 = add nsw i32 %36, 1
  br label %39

38:
  br label %39

39:
  %40 = phi i32 [ %37, %35 ], [ 0, %38 ]
  %41 = load i32, ptr %6, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [24 x [24 x i32]], ptr @weight, i64 0, i64 %42
  %44 = load i32, ptr %5, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [24 x i32], ptr %43, i64 0, i64 %45
  store i32 %40, ptr %46, align 4
  %47 = load i32, ptr %5, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [24 x [24 x i32]], ptr @weight, i64 0, i64 %48
  %50 = load i32, ptr %6, align 4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds [24 x i32], ptr %49, i64 0, i64 %51
  store i32 %40, ptr %52, align 4
  br label %53

53:
  %54 = load i32, ptr %6, align 4
  %55 = add nsw i32 %54, 1
  store i32 %55, ptr %6, align 4
  br label %18, !llvm.loop !23

56:
  br label %57

57:
  %58 = load i32, ptr %5, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, ptr %5, align 4
  br label %12, !llvm.loop !24

60:
  %61 = call i32 @kruskal()
  store i32 %61, ptr %8, align 4
  %62 = call i32 @prim()
  store i32 %62, ptr %9, align 4
  store i32 0, ptr %10, align 4
  br label %63

63:
  %64 = load i32, ptr %10, align 4
  %65 = icmp slt i32 %64, 24
  br i1 %65, label %66, label %91

66:
  store i32 0, ptr %11, align 4
  br label %67

67:
  %68 = load i32, ptr %11, align 4
  %69 = icmp slt i32 %68, 24
  br i1 %69, label %70, label %87

70:
  %71 = load i32, ptr %10, align 4
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds [24 x [24 x i32]], ptr @weight, i64 0, i64 %72
  %74 = load i32, ptr %11, align 4
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds [24 x i32], ptr %73, i64 0, i64 %75
  %77 = load i32, ptr %76, align 4
  %78 = load i32, ptr %10, align 4
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds [24 x [24 x i32]], ptr @capacity, i64 0, i64 %79
  %81 = load i32, ptr %11, align 4
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds [24 x i32], ptr %80, i64 0, i64 %82
  store i32 %77, ptr %83, align 4
  br label %84

84:
  %85 = load i32, ptr %11, align 4
  %86 = add nsw i32 %85, 1
  store i32 %86, ptr %11, align 4
  br label %67, !llvm.loop !25

87:
  br label %88

88:
  %89 = load i32, ptr %10, align 4
  %90 = add nsw i32 %89, 1
  store i32 %90, ptr %10, align 4
  br label %63, !llvm.loop !26

91:
  br label %92

92:
  %93 = call i32 @push_flow(i32 noundef 0, i32 noundef 23)
  store i32 %93, ptr %4, align 4
  %94 = icmp sgt i32 %93, 0
  br i1 %94, label %95, label %99

95:
  %96 = load i32, ptr %4, align 4
  %97 = load i32, ptr %3, align 4
  %98 = add nsw i32 %97, %96
  store i32 %98, ptr %3, align 4
  br label %92, !llvm.loop !27

99:
  %100 = load i32, ptr %8, align 4
  %101 = load i32, ptr %9, align 4
  %102 = load i32, ptr %3, align 4
  %103 = call i32 @cut_size(i32 noundef 0)
  %104 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %100, i32 noundef %101, i32 noundef %102, i32 noundef %103)
  %105 = load i32, ptr %8, align 4
  %106 = load i32, ptr %9, align 4
  %107 = icmp ne i32 %105, %106
  br i1 %107, label %112, label %108

108:
  %109 = load i32, ptr %3, align 4
  %110 = call i32 @cut_size(i32 noundef 0)
  %111 = icmp ne i32 %109, %110
  br label %112

112:
  %113 = phi i1 [ true, %99 ], [ %111, %108 ]
  %114 = zext i1 %113 to i32
  ret i32 %114
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
!23 = distinct !{!23, !5}
!24 = distinct !{!24, !5}
!25 = distinct !{!25, !5}
!26 = distinct !{!26, !5}
!27 = distinct !{!27, !5}
