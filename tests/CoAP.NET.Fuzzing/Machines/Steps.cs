namespace CoAP.Fuzzing.Machines;

/// <summary>The parts of a step that all state machines share: what to do, then how long to wait, then a message.</summary>
internal static class Steps
{
    private static readonly double[] Waits = [0, 0, 0, 0.01, 0.3, 1, 2.5, 5, 20, 95, 250];

    public static byte[] Message(byte[] step) => step.Length <= 2 ? [] : step[2..];

    /// <summary>Times around those of the protocol: ACK_TIMEOUT, MAX_LATENCY, EXCHANGE_LIFETIME.</summary>
    public static TimeSpan Wait(byte[] step) => TimeSpan.FromSeconds(step.Length < 2 ? 0 : Waits[step[1] % Waits.Length]);

    public static byte Kind(byte[] step) => step.Length == 0 ? (byte)0 : step[0];
}
