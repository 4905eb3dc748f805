source_filename = "mergesort.c"

%struct.item = type { i32, i32, ptr }

@buffer = internal global [300 x %struct.item] zeroinitializer, align 16
@items = internal global [300 x %struct.item] zeroinitializer, align 16
@copies = internal global [300 x %struct.item] zeroinitializer, align 16
@.str = private unnamed_addr constant [10 x i8] c"%d %d %d\0A\00", align 1

define dso_local ptr @merge(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca %struct.item, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  store ptr %5, ptr %6, align 8
  br label %8

8:
  %9 = load ptr, ptr %3, align 8
  %10 = icmp ne ptr %9, null
  br i1 %10, label %11, label %14

11:
  %12 = load ptr, ptr %4, align 8
  %13 = icmp ne ptr %12, null
  br label %14

14:
  %15 = phi i1 [ false, %8 ], [ %13, %11 ]
  br i1 %15, label %16, label %38

16:
  %17 = load ptr, ptr %4, align 8
  %18 = getelementptr inbounds nuw %struct.item, ptr %17, i32 0, i32 0
  %19 = load i32, ptr %18, align 8
  %20 = load ptr, ptr %3, align 8
  %21 = getelementptr inbounds nuw %struct.item, ptr %20, i32 0, i32 0
  %22 = load i32, ptr %21, align 8
  %23 = icmp slt i32 %19, %22
  br i1 %23, label %24, label %25

24:
  br label %26

25:
  br label %26

26:
  %27 = phi ptr [ %4, %24 ], [ %3, %25 ]
  store ptr %27, ptr %7, align 8
  %28 = load ptr, ptr %7, align 8
  %29 = load ptr, ptr %28, align 8
  %30 = load ptr, ptr %6, align 8
  %31 = getelementptr inbounds nuw %struct.item, ptr %30, i32 0, i32 2
  store ptr %29, ptr %31, align 8
  %32 = load ptr, ptr %7, align 8
  %33 = load ptr, ptr %32, align 8
  store ptr %33, ptr %6, align 8
  %34 = load ptr, ptr %6, align 8
  %35 = getelementptr inbounds nuw %struct.item, ptr %34, i32 0, i32 2
  %36 = load ptr, ptr %35, align 8
  %37 = load ptr, ptr %7, align 8
  store ptr %36, ptr %37, align 8
  br label %8, !llvm.loop !4

38:
  %39 = load ptr, ptr %3, align 8
  %40 = icmp ne ptr %39, null
  br i1 %40, label %41, label %43

41:
  %42 = load ptr, ptr %3, align 8
  br label %45

43:
  %44 = load ptr, ptr %4, align 8
  br label %45

45:
  %46 = phi ptr [ %42, %41 ], [ %44, %43 ]
  %47 = load ptr, ptr %6, align 8
  %48 = getelementptr inbounds nuw %struct.item, ptr %47, i32 0, i32 2
  store ptr %46, ptr %48, align 8
  %49 = getelementptr inbounds nuw %struct.item, ptr %5, i32 0, i32 2
  %50 = load ptr, ptr %49, align 8
  ret ptr %50
}

define dso_local ptr @sort_list(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca [16 x ptr], align 16
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  call void @llvm.memset.p0.i64(ptr align 16 %3, i8 0, i64 128, i1 false)
  br label %8

8:
  %9 = load ptr, ptr %2, align 8
  %10 = icmp ne ptr %9, null
  br i1 %10, label %11, label %42

11:
  %12 = load ptr, ptr %2, align 8
  store ptr %12, ptr %4, align 8
  %13 = load ptr, ptr %2, align 8
  %14 = getelementptr inbounds nuw %struct.item, ptr %13, i32 0, i32 2
  %15 = load ptr, ptr %14, align 8
  store ptr %15, ptr %2, align 8
  %16 = load ptr, ptr %4, align 8
  %17 = getelementptr inbounds nuw %struct.item, ptr %16, i32 0, i32 2
  store ptr null, ptr %17, align 8
  store i32 0, ptr %5, align 4
  br label %18

18:
  %19 = load i32, ptr %5, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [16 x ptr], ptr %3, i64 0, i64 %20
  %22 = load ptr, ptr %21, align 8
  %23 = icmp ne ptr %22, null
  br i1 %23, label %24, label %37

24:
  %25 = load i32, ptr %5, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [16 x ptr], ptr %3, i64 0, i64 %26
  %28 = load ptr, ptr %27, align 8
  %29 = load ptr, ptr %4, align 8
  %30 = call ptr @merge(ptr noundef %28, ptr noundef %29)
  store ptr %30, ptr %4, align 8
  %31 = load i32, ptr %5, align 4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds [16 x ptr], ptr %3, i64 0, i64 %32
  store ptr null, ptr %33, align 8
  br label %34

34:
  %35 = load i32, ptr %5, align 4
  %36 = add nsw i32 %35, 1
  store i32 %36, ptr %5, align 4
  br label %18, !llvm.loop !6

37:
  %38 = load ptr, ptr %4, align 8
  %39 = load i32, ptr %5, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [16 x ptr], ptr %3, i64 0, i64 %40
  store ptr %38, ptr %41, align 8
  br label %8, !llvm.loop !7

42:
  store ptr null, ptr %6, align 8
  store i32 0, ptr %7, align 4
  br label %43

43:
  %44 = load i32, ptr %7, align 4
  %45 = icmp slt i32 %44, 16
  br i1 %45, label %46, label %73

46:
  %47 = load i32, ptr %7, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [16 x ptr], ptr %3, i64 0, i64 %48
  %50 = load ptr, ptr %49, align 8
  %51 = icmp ne ptr %50, null
  br i1 %51, label %52, label %69

52:
  %53 = load ptr, ptr %6, align 8
  %54 = icmp ne ptr %53, null
  br i1 %54, label %55, label %62

55:
  %56 = load i32, ptr %7, align 4
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds [16 x ptr], ptr %3, i64 0, i64 %57
  %59 = load ptr, ptr %58, align 8
  %60 = load ptr, ptr %6, align 8
  %61 = call ptr @merge(ptr noundef %59, ptr noundef %60)
  br label %67

62:
  %63 = load i32, ptr %7, align 4
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [16 x ptr], ptr %3, i64 0, i64 %64
  %66 = load ptr, ptr %65, align 8
  br label %67

67:
  %68 = phi ptr [ %61, %55 ], [ %66, %62 ]
  store ptr %68, ptr %6, align 8
  br label %69

69:
  br label %70

70:
  %71 = load i32, ptr %7, align 4
  %72 = add nsw i32 %71, 1
  store i32 %72, ptr %7, align 4
  br label %43, !llvm.loop !8

73:
  %74 = load ptr, ptr %6, align 8
  ret ptr %74
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

define dso_local void @sort_array(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %9 = load i32, ptr %4, align 4
  %10 = icmp slt i32 %9, 2
  br i1 %10, label %11, label %12

11:
  br label %90

12:
  %13 = load i32, ptr %4, align 4
  %14 = sdiv i32 %13, 2
  store i32 %14, ptr %5, align 4
  store i32 0, ptr %6, align 4
  %15 = load i32, ptr %5, align 4
  store i32 %15, ptr %7, align 4
  store i32 0, ptr %8, align 4
  %16 = load ptr, ptr %3, align 8
  %17 = load i32, ptr %5, align 4
  call void @sort_array(ptr noundef %16, i32 noundef %17)
  %18 = load ptr, ptr %3, align 8
  %19 = load i32, ptr %5, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds %struct.item, ptr %18, i64 %20
  %22 = load i32, ptr %4, align 4
  %23 = load i32, ptr %5, align 4
  %24 = sub nsw i32 %22, %23
  call void @sort_array(ptr noundef %21, i32 noundef %24)
  br label %25

25:
  %26 = load i32, ptr %6, align 4
  %27 = load i32, ptr %5, align 4
  %28 = icmp slt i32 %26, %27
  br i1 %28, label %33, label %29

29:
  %30 = load i32, ptr %7, align 4
  %31 = load i32, ptr %4, align 4
  %32 = icmp slt i32 %30, %31
  br label %33

33:
  %34 = phi i1 [ true, %25 ], [ %32, %29 ]
  br i1 %34, label %35, label %74

35:
  %36 = load i32, ptr %8, align 4
  %37 = add nsw i32 %36, 1
  store i32 %37, ptr %8, align 4
  %38 = sext i32 %36 to i64
  %39 = getelementptr inbounds [300 x %struct.item], ptr @buffer, i64 0, i64 %38
  %40 = load i32, ptr %7, align 4
  %41 = load i32, ptr %4, align 4
  %42 = icmp sge i32 %40, %41
  br i1 %42, label %61, label %43

43:
  %44 = load i32, ptr %6, align 4
  %45 = load i32, ptr %5, align 4
  %46 = icmp slt i32 %44, %45
  br i1 %46, label %47, label %67

47:
  %48 = load ptr, ptr %3, align 8
  %49 = load i32, ptr %6, align 4
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds %struct.item, ptr %48, i64 %50
  %52 = getelementptr inbounds nuw %struct.item, ptr %51, i32 0, i32 0
  %53 = load i32, ptr %52, align 8
  %54 = load ptr, ptr %3, align 8
  %55 = load i32, ptr %7, align 4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds %struct.item, ptr %54, i64 %56
  %58 = getelementptr inbounds nuw %struct.item, ptr %57, i32 0, i32 0
  %59 = load i32, ptr %58, align 8
  %60 = icmp sle i32 %53, %59
  br i1 %60, label %61, label %67

61:
  %62 = load ptr, ptr %3, align 8
  %63 = load i32, ptr %6, align 4
  %64 = add nsw i32 %63, 1
  store i32 %64, ptr %6, align 4
  %65 = sext i32 %63 to i64
  %66 = getelementptr inbounds %struct.item, ptr %62, i64 %65
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %39, ptr align 8 %66, i64 16, i1 false)
  br label %73

67:
  %68 = load ptr, ptr %3, align 8
  %69 = load i32, ptr %7, align 4
  %70 = add nsw i32 %69, 1
  store i32 %70, ptr %7, align 4
  %71 = sext i32 %69 to i64
  %72 = getelementptr inbounds %struct.item, ptr %68, i64 %71
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %39, ptr align 8 %72, i64 16, i1 false)
  br label %73

73:
  br label %25, !llvm.loop !9

74:
  store i32 0, ptr %8, align 4
  br label %75

75:
  %76 = load i32, ptr %8, align 4
  %77 = load i32, ptr %4, align 4
  %78 = icmp slt i32 %76, %77
  br i1 %78, label %79, label %90

79:
  %80 = load ptr, ptr %3, align 8
  %81 = load i32, ptr %8, align 4
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds %struct.item, ptr %80, i64 %82
  %84 = load i32, ptr %8, align 4
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds [300 x %struct.item], ptr @buffer, i64 0, i64 %85
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %83, ptr align 16 %86, i64 16, i1 false)
  br label %87

87:
  %88 = load i32, ptr %8, align 4
  %89 = add nsw i32 %88, 1
  store i32 %89, ptr %8, align 4
  br label %75, !llvm.loop !10

90:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #2

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 7, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %8

8:
  %9 = load i32, ptr %3, align 4
  %10 = icmp slt i32 %9, 300
  br i1 %10, label %11, label %51

11:
  %12 = load i32, ptr %2, align 4
  %13 = mul i32 %12, 22695477
  %14 = add i32 %13, 1
  store i32 %14, ptr %2, align 4
  %15 = load i32, ptr %2, align 4
  %16 = lshr i32 %15, 16
  %17 = and i32 %16, 63
  %18 = load i32, ptr %3, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [300 x %struct.item], ptr @items, i64 0, i64 %19
  %21 = getelementptr inbounds nuw %struct.item, ptr %20, i32 0, i32 0
  store i32 %17, ptr %21, align 16
  %22 = load i32, ptr %3, align 4
  %23 = load i32, ptr %3, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [300 x %struct.item], ptr @items, i64 0, i64 %24
  %26 = getelementptr inbounds nuw %struct.item, ptr %25, i32 0, i32 1
  store i32 %22, ptr %26, align 4
  %27 = load i32, ptr %3, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [300 x %struct.item], ptr @copies, i64 0, i64 %28
  %30 = load i32, ptr %3, align 4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [300 x %struct.item], ptr @items, i64 0, i64 %31
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %29, ptr align 16 %32, i64 16, i1 false)
  %33 = load i32, ptr %3, align 4
  %34 = add nsw i32 %33, 1
  %35 = icmp slt i32 %34, 300
  br i1 %35, label %36, label %41

36:
  %37 = load i32, ptr %3, align 4
  %38 = add nsw i32 %37, 1
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [300 x %struct.item], ptr @items, i64 0, i64 %39
  br label %42

41:
  br label %42

42:
  %43 = phi ptr [ %40, %36 ], [ null, %41 ]
  %44 = load i32, ptr %3, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [300 x %struct.item], ptr @items, i64 0, i64 %45
  %47 = getelementptr inbounds nuw %struct.item, ptr %46, i32 0, i32 2
  store ptr %43, ptr %47, align 8
  br label %48

48:
  %49 = load i32, ptr %3, align 4
  %50 = add nsw i32 %49, 1
  store i32 %50, ptr %3, align 4
  br label %8, !llvm.loop !11

51:
  %52 = call ptr @sort_list(ptr noundef @items)
  store ptr %52, ptr %4, align 8
  call void @sort_array(ptr noundef @copies, i32 noundef 300)
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %53

53:
  %54 = load ptr, ptr %4, align 8
  %55 = icmp ne ptr %54, null
  br i1 %55, label %56, label %99

56:
  %57 = load ptr, ptr %4, align 8
  %58 = getelementptr inbounds nuw %struct.item, ptr %57, i32 0, i32 0
  %59 = load i32, ptr %58, align 8
  %60 = load i32, ptr %6, align 4
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds [300 x %struct.item], ptr @copies, i64 0, i64 %61
  %63 = getelementptr inbounds nuw %struct.item, ptr %62, i32 0, i32 0
  %64 = load i32, ptr %63, align 16
  %65 = icmp ne i32 %59, %64
  br i1 %65, label %76, label %66

66:
  %67 = load ptr, ptr %4, align 8
  %68 = getelementptr inbounds nuw %struct.item, ptr %67, i32 0, i32 1
  %69 = load i32, ptr %68, align 4
  %70 = load i32, ptr %6, align 4
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds [300 x %struct.item], ptr @copies, i64 0, i64 %71
  %73 = getelementptr inbounds nuw %struct.item, ptr %72, i32 0, i32 1
  %74 = load i32, ptr %73, align 4
  %75 = icmp ne i32 %69, %74
  br label %76

76:
  %77 = phi i1 [ true, %56 ], [ %75, %66 ]
  %78 = zext i1 %77 to i32
  %79 = load i32, ptr %5, align 4
  %80 = add nsw i32 %79, %78
  store i32 %80, ptr %5, align 4
  %81 = load i32, ptr %7, align 4
  %82 = mul nsw i32 %81, 17
  %83 = load ptr, ptr %4, align 8
  %84 = getelementptr inbounds nuw %struct.item, ptr %83, i32 0, i32 0
  %85 = load i32, ptr %84, align 8
  %86 = mul nsw i32 %85, 300
  %87 = add nsw i32 %82, %86
  %88 = load ptr, ptr %4, align 8
  %89 = getelementptr inbounds nuw %struct.item, ptr %88, i32 0, i32 1
  %90 = load i32, ptr %89, align 4
  %91 = add nsw i32 %87, %90
  %92 = and i32 %91, 16777215
  store i32 %92, ptr %7, align 4
  br label %93

93:
  %94 = load ptr, ptr %4, align 8
  %95 = getelementptr inbounds nuw %struct.item, ptr %94, i32 0, i32 2
  %96 = load ptr, ptr %95, align 8
  store ptr %96, ptr %4, align 8
  %97 = load i32, ptr %6, align 4
  %98 = add nsw i32 %97, 1
  store i32 %98, ptr %6, align 4
  br label %53, !llvm.loop !12

99:
  %100 = load i32, ptr %6, align 4
  %101 = load i32, ptr %7, align 4
  %102 = load i32, ptr %5, align 4
  %103 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %100, i32 noundef %101, i32 noundef %102)
  %104 = load i32, ptr %5, align 4
  %105 = icmp ne i32 %104, 0
  br i1 %105, label %109, label %106

106:
  %107 = load i32, ptr %6, align 4
  %108 = icmp ne i32 %107, 300
  br label %109

109:
  %110 = phi i1 [ true, %99 ], [ %108, %106 ]
  %111 = zext i1 %110 to i32
  ret i32 %111
}

declare dso_local i32 @printf(ptr noundef, ...) #3

attributes #0 = { nounwind "no-trapping-math"="true" }
attributes #1 = { nounwind }
attributes #2 = { nounwind }
attributes #3 = { "no-trapping-math"="true" }


!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = distinct !{!6, !5}
!7 = distinct !{!7, !5}
!8 = distinct !{!8, !5}
!9 = distinct !{!9, !5}
!10 = distinct !{!10, !5}
!11 = distinct !{!11, !5}
!12 = distinct !{!12, !5}
