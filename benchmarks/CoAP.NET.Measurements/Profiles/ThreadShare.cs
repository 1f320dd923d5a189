namespace CoAP.Measurements.Profiles;

/// <summary>What one thread did. All are percents.</summary>
/// <param name="Thread">Its name.</param>
/// <param name="OfAll">Its share of all samples.</param>
/// <param name="InKernelLocks">Of its samples, those in locks of the kernel that others held, and in futexes.</param>
/// <param name="InRuntimeLocks">Those in locks of the class library and of the runtime, held by others or free.</param>
/// <param name="Unnamed">Those inside the runtime, which mostly has no names: allocation and collection, and locks if there were any.</param>
internal sealed record ThreadShare(string Thread, double OfAll, double InKernelLocks, double InRuntimeLocks, double Unnamed);
