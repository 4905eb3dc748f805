source_filename = "quicksort.c"

%struct.record = type { i32, i16, [2 x i8] }

@numbers = internal global [500 x i32] zeroinitializer, align 16
@records = internal global [500 x %struct.record] zeroinitializer, align 16
@.str = private unnamed_addr constant [13 x i8] c"%d %d %d %d\0A\00", align 1

define dso_local void @swap(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %6 = load ptr, ptr %3, align 8
  %7 = load i32, ptr %6, align 4
  store i32 %7, ptr %5, align 4
  %8 = load ptr, ptr %4, align 8
  %9 = load i32, ptr %8, align 4
  %10 = load ptr, ptr %3, align 8
  store i32 %9, ptr %10, align 4
  %11 = load i32, ptr %5, align 4
  %12 = load ptr, ptr %4, align 8
  store i32 %11, ptr %12, align 4
  ret void
}

define dso_local void @insertion_sort(ptr noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store i32 %2, ptr %6, align 4
  %10 = load i32, ptr %5, align 4
  %11 = add nsw i32 %10, 1
  store i32 %11, ptr %7, align 4
  br label %12

12:
  %13 = load i32, ptr %7, align 4
  %14 = load i32, ptr %6, align 4
  %15 = icmp sle i32 %13, %14
  br i1 %15, label %16, label %61

16:
  %17 = load ptr, ptr %4, align 8
  %18 = load i32, ptr %7, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i32, ptr %17, i64 %19
  %21 = load i32, ptr %20, align 4
  store i32 %21, ptr %8, align 4
  %22 = load i32, ptr %7, align 4
  %23 = sub nsw i32 %22, 1
  store i32 %23, ptr %9, align 4
  br label %24

24:
  %25 = load i32, ptr %9, align 4
  %26 = load i32, ptr %5, align 4
  %27 = icmp sge i32 %25, %26
  br i1 %27, label %28, label %36

28:
  %29 = load ptr, ptr %4, align 8
  %30 = load i32, ptr %9, align 4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds i32, ptr %29, i64 %31
  %33 = load i32, ptr %32, align 4
  %34 = load i32, ptr %8, align 4
  %35 = icmp sgt i32 %33, %34
  br label %36

36:
  %37 = phi i1 [ false, %24 ], [ %35, %28 ]
  br i1 %37, label %38, label %51

38:
  %39 = load ptr, ptr %4, align 8
  %40 = load i32, ptr %9, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i32, ptr %39, i64 %41
  %43 = load i32, ptr %42, align 4
  %44 = load ptr, ptr %4, align 8
  %45 = load i32, ptr %9, align 4
  %46 = add nsw i32 %45, 1
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds i32, ptr %44, i64 %47
  store i32 %43, ptr %48, align 4
  %49 = load i32, ptr %9, align 4
  %50 = add nsw i32 %49, -1
  store i32 %50, ptr %9, align 4
  br label %24, !llvm.loop !4

51:
  %52 = load i32, ptr %8, align 4
  %53 = load ptr, ptr %4, align 8
  %54 = load i32, ptr %9, align 4
  %55 = add nsw i32 %54, 1
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds i32, ptr %53, i64 %56
  store i32 %52, ptr %57, align 4
  br label %58

58:
  %59 = load i32, ptr %7, align 4
  %60 = add nsw i32 %59, 1
  store i32 %60, ptr %7, align 4
  br label %12, !llvm.loop !6

61:
  ret void
}

define dso_local i32 @partition(ptr noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store i32 %2, ptr %6, align 4
  %11 = load i32, ptr %5, align 4
  %12 = load i32, ptr %6, align 4
  %13 = load i32, ptr %5, align 4
  %14 = sub nsw i32 %12, %13
  %15 = sdiv i32 %14, 2
  %16 = add nsw i32 %11, %15
  store i32 %16, ptr %7, align 4
  %17 = load ptr, ptr %4, align 8
  %18 = load i32, ptr %7, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i32, ptr %17, i64 %19
  %21 = load i32, ptr %20, align 4
  %22 = load ptr, ptr %4, align 8
  %23 = load i32, ptr %5, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds i32, ptr %22, i64 %24
  %26 = load i32, ptr %25, align 4
  %27 = icmp slt i32 %21, %26
  br i1 %27, label %28, label %37

28:
  %29 = load ptr, ptr %4, align 8
  %30 = load i32, ptr %7, align 4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds i32, ptr %29, i64 %31
  %33 = load ptr, ptr %4, align 8
  %34 = load i32, ptr %5, align 4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds i32, ptr %33, i64 %35
  call void @swap(ptr noundef %32, ptr noundef %36)
  br label %37

37:
  %38 = load ptr, ptr %4, align 8
  %39 = load i32, ptr %6, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds i32, ptr %38, i64 %40
  %42 = load i32, ptr %41, align 4
  %43 = load ptr, ptr %4, align 8
  %44 = load i32, ptr %5, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds i32, ptr %43, i64 %45
  %47 = load i32, ptr %46, align 4
  %48 = icmp slt i32 %42, %47
  br i1 %48, label %49, label %58

49:
  %50 = load ptr, ptr %4, align 8
  %51 = load i32, ptr %6, align 4
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds i32, ptr %50, i64 %52
  %54 = load ptr, ptr %4, align 8
  %55 = load i32, ptr %5, align 4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds i32, ptr %54, i64 %56
  call void @swap(ptr noundef %53, ptr noundef %57)
  br label %58

58:
  %59 = load ptr, ptr %4, align 8
  %60 = load i32, ptr %6, align 4
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds i32, ptr %59, i64 %61
  %63 = load i32, ptr %62, align 4
  %64 = load ptr, ptr %4, align 8
  %65 = load i32, ptr %7, align 4
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds i32, ptr %64, i64 %66
  %68 = load i32, ptr %67, align 4
  %69 = icmp slt i32 %63, %68
  br i1 %69, label %70, label %79

70:
  %71 = load ptr, ptr %4, align 8
  %72 = load i32, ptr %6, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds i32, ptr %71, i64 %73
  %75 = load ptr, ptr %4, align 8
  %76 = load i32, ptr %7, align 4
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds i32, ptr %75, i64 %77
  call void @swap(ptr noundef %74, ptr noundef %78)
  br label %79

79:
  %80 = load ptr, ptr %4, align 8
  %81 = load i32, ptr %7, align 4
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds i32, ptr %80, i64 %82
  %84 = load i32, ptr %83, align 4
  store i32 %84, ptr %8, align 4
  %85 = load i32, ptr %5, align 4
  store i32 %85, ptr %9, align 4
  %86 = load i32, ptr %6, align 4
  store i32 %86, ptr %10, align 4
  br label %87

87:
  %88 = load i32, ptr %9, align 4
  %89 = load i32, ptr %10, align 4
  %90 = icmp sle i32 %88, %89
  br i1 %90, label %91, label %131

91:
  br label %92

92:
  %93 = load ptr, ptr %4, align 8
  %94 = load i32, ptr %9, align 4
  %95 = sext i32 %94 to i64
  %96 = getelementptr inbounds i32, ptr %93, i64 %95
  %97 = load i32, ptr %96, align 4
  %98 = load i32, ptr %8, align 4
  %99 = icmp slt i32 %97, %98
  br i1 %99, label %100, label %103

100:
  %101 = load i32, ptr %9, align 4
  %102 = add nsw i32 %101, 1
  store i32 %102, ptr %9, align 4
  br label %92, !llvm.loop !7

103:
  br label %104

104:
  %105 = load ptr, ptr %4, align 8
  %106 = load i32, ptr %10, align 4
  %107 = sext i32 %106 to i64
  %108 = getelementptr inbounds i32, ptr %105, i64 %107
  %109 = load i32, ptr %108, align 4
  %110 = load i32, ptr %8, align 4
  %111 = icmp sgt i32 %109, %110
  br i1 %111, label %112, label %115

112:
  %113 = load i32, ptr %10, align 4
  %114 = add nsw i32 %113, -1
  store i32 %114, ptr %10, align 4
  br label %104, !llvm.loop !8

115:
  %116 = load i32, ptr %9, align 4
  %117 = load i32, ptr %10, align 4
  %118 = icmp sle i32 %116, %117
  br i1 %118, label %119, label %130

119:
  %120 = load ptr, ptr %4, align 8
  %121 = load i32, ptr %9, align 4
  %122 = add nsw i32 %121, 1
  store i32 %122, ptr %9, align 4
  %123 = sext i32 %121 to i64
  %124 = getelementptr inbounds i32, ptr %120, i64 %123
  %125 = load ptr, ptr %4, align 8
  %126 = load i32, ptr %10, align 4
  %127 = add nsw i32 %126, -1
  store i32 %127, ptr %10, align 4
  %128 = sext i32 %126 to i64
  %129 = getelementptr inbounds i32, ptr %125, i64 %128
  call void @swap(ptr noundef %124, ptr noundef %129)
  br label %130

130:
  br label %87, !llvm.loop !9

131:
  %132 = load i32, ptr %9, align 4
  ret i32 %132
}

define dso_local void @quicksort(ptr noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store i32 %2, ptr %6, align 4
  %8 = load i32, ptr %6, align 4
  %9 = load i32, ptr %5, align 4
  %10 = sub nsw i32 %8, %9
  %11 = icmp slt i32 %10, 12
  br i1 %11, label %12, label %16

12:
  %13 = load ptr, ptr %4, align 8
  %14 = load i32, ptr %5, align 4
  %15 = load i32, ptr %6, align 4
  call void @insertion_sort(ptr noundef %13, i32 noundef %14, i32 noundef %15)
  br label %28

16:
  %17 = load ptr, ptr %4, align 8
  %18 = load i32, ptr %5, align 4
  %19 = load i32, ptr %6, align 4
  %20 = call i32 @partition(ptr noundef %17, i32 noundef %18, i32 noundef %19)
  store i32 %20, ptr %7, align 4
  %21 = load ptr, ptr %4, align 8
  %22 = load i32, ptr %5, align 4
  %23 = load i32, ptr %7, align 4
  %24 = sub nsw i32 %23, 1
  call void @quicksort(ptr noundef %21, i32 noundef %22, i32 noundef %24)
  %25 = load ptr, ptr %4, align 8
  %26 = load i32, ptr %7, align 4
  %27 = load i32, ptr %6, align 4
  call void @quicksort(ptr noundef %25, i32 noundef %26, i32 noundef %27)
  br label %28

28:
  ret void
}

define dso_local i32 @compare(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  %6 = load ptr, ptr %4, align 8
  %7 = getelementptr inbounds nuw %struct.record, ptr %6, i32 0, i32 1
  %8 = load i16, ptr %7, align 4
  %9 = sext i16 %8 to i32
  %10 = load ptr, ptr %5, align 8
  %11 = getelementptr inbounds nuw %struct.record, ptr %10, i32 0, i32 1
  %12 = load i16, ptr %11, align 4
  %13 = sext i16 %12 to i32
  %14 = icmp ne i32 %9, %13
  br i1 %14, label %15, label %27

15:
  %16 = load ptr, ptr %4, align 8
  %17 = getelementptr inbounds nuw %struct.record, ptr %16, i32 0, i32 1
  %18 = load i16, ptr %17, align 4
  %19 = sext i16 %18 to i32
  %20 = load ptr, ptr %5, align 8
  %21 = getelementptr inbounds nuw %struct.record, ptr %20, i32 0, i32 1
  %22 = load i16, ptr %21, align 4
  %23 = sext i16 %22 to i32
  %24 = icmp slt i32 %19, %23
  %25 = zext i1 %24 to i64
  %26 = select i1 %24, i32 -1, i32 1
  store i32 %26, ptr %3, align 4
  br label %57

27:
  %28 = load ptr, ptr %4, align 8
  %29 = getelementptr inbounds nuw %struct.record, ptr %28, i32 0, i32 0
  %30 = load i32, ptr %29, align 4
  %31 = load ptr, ptr %5, align 8
  %32 = getelementptr inbounds nuw %struct.record, ptr %31, i32 0, i32 0
  %33 = load i32, ptr %32, align 4
  %34 = icmp ne i32 %30, %33
  br i1 %34, label %35, label %45

35:
  %36 = load ptr, ptr %4, align 8
  %37 = getelementptr inbounds nuw %struct.record, ptr %36, i32 0, i32 0
  %38 = load i32, ptr %37, align 4
  %39 = load ptr, ptr %5, align 8
  %40 = getelementptr inbounds nuw %struct.record, ptr %39, i32 0, i32 0
  %41 = load i32, ptr %40, align 4
  %42 = icmp slt i32 %38, %41
  %43 = zext i1 %42 to i64
  %44 = select i1 %42, i32 -1, i32 1
  store i32 %44, ptr %3, align 4
  br label %57

45:
  %46 = load ptr, ptr %4, align 8
  %47 = getelementptr inbounds nuw %struct.record, ptr %46, i32 0, i32 2
  %48 = getelementptr inbounds [2 x i8], ptr %47, i64 0, i64 0
  %49 = load i8, ptr %48, align 2
  %50 = sext i8 %49 to i32
  %51 = load ptr, ptr %5, align 8
  %52 = getelementptr inbounds nuw %struct.record, ptr %51, i32 0, i32 2
  %53 = getelementptr inbounds [2 x i8], ptr %52, i64 0, i64 0
  %54 = load i8, ptr %53, align 2
  %55 = sext i8 %54 to i32
  %56 = sub nsw i32 %50, %55
  store i32 %56, ptr %3, align 4
  br label %57

57:
  %58 = load i32, ptr %3, align 4
  ret i32 %58
}

define dso_local void @sort_records(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca %struct.record, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %9 = load i32, ptr %4, align 4
  %10 = sdiv i32 %9, 2
  store i32 %10, ptr %5, align 4
  br label %11

11:
  %12 = load i32, ptr %5, align 4
  %13 = icmp sgt i32 %12, 0
  br i1 %13, label %14, label %68

14:
  %15 = load i32, ptr %5, align 4
  store i32 %15, ptr %6, align 4
  br label %16

16:
  %17 = load i32, ptr %6, align 4
  %18 = load i32, ptr %4, align 4
  %19 = icmp slt i32 %17, %18
  br i1 %19, label %20, label %64

20:
  %21 = load ptr, ptr %3, align 8
  %22 = load i32, ptr %6, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds %struct.record, ptr %21, i64 %23
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %7, ptr align 4 %24, i64 8, i1 false)
  %25 = load i32, ptr %6, align 4
  store i32 %25, ptr %8, align 4
  br label %26

26:
  %27 = load i32, ptr %8, align 4
  %28 = load i32, ptr %5, align 4
  %29 = icmp sge i32 %27, %28
  br i1 %29, label %30, label %39

30:
  %31 = load ptr, ptr %3, align 8
  %32 = load i32, ptr %8, align 4
  %33 = load i32, ptr %5, align 4
  %34 = sub nsw i32 %32, %33
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds %struct.record, ptr %31, i64 %35
  %37 = call i32 @compare(ptr noundef %7, ptr noundef %36)
  %38 = icmp slt i32 %37, 0
  br label %39

39:
  %40 = phi i1 [ false, %26 ], [ %38, %30 ]
  br i1 %40, label %41, label %56

41:
  %42 = load ptr, ptr %3, align 8
  %43 = load i32, ptr %8, align 4
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds %struct.record, ptr %42, i64 %44
  %46 = load ptr, ptr %3, align 8
  %47 = load i32, ptr %8, align 4
  %48 = load i32, ptr %5, align 4
  %49 = sub nsw i32 %47, %48
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds %struct.record, ptr %46, i64 %50
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %45, ptr align 4 %51, i64 8, i1 false)
  br label %52

52:
  %53 = load i32, ptr %5, align 4
  %54 = load i32, ptr %8, align 4
  %55 = sub nsw i32 %54, %53
  store i32 %55, ptr %8, align 4
  br label %26, !llvm.loop !10

56:
  %57 = load ptr, ptr %3, align 8
  %58 = load i32, ptr %8, align 4
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds %struct.record, ptr %57, i64 %59
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %60, ptr align 4 %7, i64 8, i1 false)
  br label %61

61:
  %62 = load i32, ptr %6, align 4
  %63 = add nsw i32 %62, 1
  store i32 %63, ptr %6, align 4
  br label %16, !llvm.loop !11

64:
  br label %65

65:
  %66 = load i32, ptr %5, align 4
  %67 = sdiv i32 %66, 2
  store i32 %67, ptr %5, align 4
  br label %11, !llvm.loop !12

68:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #1

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 42, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %6

6:
  %7 = load i32, ptr %3, align 4
  %8 = icmp slt i32 %7, 500
  br i1 %8, label %9, label %53

9:
  %10 = load i32, ptr %2, align 4
  %11 = mul i32 %10, 1664525
  %12 = add i32 %11, 1013904223
  store i32 %12, ptr %2, align 4
  %13 = load i32, ptr %2, align 4
  %14 = lshr i32 %13, 8
  %15 = srem i32 %14, 10007
  %16 = load i32, ptr %3, align 4
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds [500 x i32], ptr @numbers, i64 0, i64 %17
  store i32 %15, ptr %18, align 4
  %19 = load i32, ptr %2, align 4
  %20 = lshr i32 %19, 12
  %21 = srem i32 %20, 97
  %22 = load i32, ptr %3, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [500 x %struct.record], ptr @records, i64 0, i64 %23
  %25 = getelementptr inbounds nuw %struct.record, ptr %24, i32 0, i32 0
  store i32 %21, ptr %25, align 8
  %26 = load i32, ptr %2, align 4
  %27 = lshr i32 %26, 20
  %28 = urem i32 %27, 50
  %29 = add i32 1970, %28
  %30 = trunc i32 %29 to i16
  %31 = load i32, ptr %3, align 4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds [500 x %struct.record], ptr @records, i64 0, i64 %32
  %34 = getelementptr inbounds nuw %struct.record, ptr %33, i32 0, i32 1
  store i16 %30, ptr %34, align 4
  %35 = load i32, ptr %2, align 4
  %36 = lshr i32 %35, 24
  %37 = urem i32 %36, 26
  %38 = add i32 97, %37
  %39 = trunc i32 %38 to i8
  %40 = load i32, ptr %3, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [500 x %struct.record], ptr @records, i64 0, i64 %41
  %43 = getelementptr inbounds nuw %struct.record, ptr %42, i32 0, i32 2
  %44 = getelementptr inbounds [2 x i8], ptr %43, i64 0, i64 0
  store i8 %39, ptr %44, align 2
  %45 = load i32, ptr %3, align 4
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [500 x %struct.record], ptr @records, i64 0, i64 %46
  %48 = getelementptr inbounds nuw %struct.record, ptr %47, i32 0, i32 2
  %49 = getelementptr inbounds [2 x i8], ptr %48, i64 0, i64 1
  store i8 0, ptr %49, align 1
  br label %50

50:
  %51 = load i32, ptr %3, align 4
  %52 = add nsw i32 %51, 1
  store i32 %52, ptr %3, align 4
  br label %6, !llvm.loop !13

53:
  call void @quicksort(ptr noundef @numbers, i32 noundef 0, i32 noundef 499)
  call void @sort_records(ptr noundef @records, i32 noundef 500)
  store i32 0, ptr %4, align 4
  store i32 1, ptr %5, align 4
  br label %54

54:
  %55 = load i32, ptr %5, align 4
  %56 = icmp slt i32 %55, 500
  br i1 %56, label %57, label %86

57:
  %58 = load i32, ptr %5, align 4
  %59 = sub nsw i32 %58, 1
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds [500 x i32], ptr @numbers, i64 0, i64 %60
  %62 = load i32, ptr %61, align 4
  %63 = load i32, ptr %5, align 4
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [500 x i32], ptr @numbers, i64 0, i64 %64
  %66 = load i32, ptr %65, align 4
  %67 = icmp sgt i32 %62, %66
  br i1 %67, label %78, label %68

68:
  %69 = load i32, ptr %5, align 4
  %70 = sub nsw i32 %69, 1
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds [500 x %struct.record], ptr @records, i64 0, i64 %71
  %73 = load i32, ptr %5, align 4
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [500 x %struct.record], ptr @records, i64 0, i64 %74
  %76 = call i32 @compare(ptr noundef %72, ptr noundef %75)
  %77 = icmp sgt i32 %76, 0
  br label %78

78:
  %79 = phi i1 [ true, %57 ], [ %77, %68 ]
  %80 = zext i1 %79 to i32
  %81 = load i32, ptr %4, align 4
  %82 = add nsw i32 %81, %80
  store i32 %82, ptr %4, align 4
  br label %83

83:
  %84 = load i32, ptr %5, align 4
  %85 = add nsw i32 %84, 1
  store i32 %85, ptr %5, align 4
  br label %54, !llvm.loop !14

86:
  %87 = load i32, ptr %4, align 4
  %88 = load i32, ptr @numbers, align 16
  %89 = load i32, ptr getelementptr inbounds ([500 x i32], ptr @numbers, i64 0, i64 250), align 8
  %90 = load i32, ptr getelementptr inbounds ([500 x %struct.record], ptr @records, i64 0, i64 499), align 8
  %91 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %87, i32 noundef %88, i32 noundef %89, i32 noundef %90)
  %92 = load i32, ptr %4, align 4
  ret i32 %92
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
