namespace CoAP.Measurements.HandOffs;

/// <summary>Some thousand turn-arounds, one after the other.</summary>
/// <param name="Least">Half of the shortest turn-around, in nanoseconds.</param>
/// <param name="Mean">Half of the mean, from the first to the last by the clock.</param>
/// <param name="Waits">Context switches of the measuring process because a thread had to wait.</param>
/// <param name="Losses">Context switches because something else wanted the core.</param>
/// <param name="Collections">Garbage collections of any generation meanwhile.</param>
internal readonly record struct HandOffRun(double Least, double Mean, long Waits, long Losses, int Collections);
