namespace CoAP.Dtls;

/// <summary>The memory of a lane for records that wait until peers have proven their new addresses.</summary>
/// <remarks>
/// No account is charged for these records, and one account may have thousands of sessions. The limit therefore applies to all sessions of
/// the lane together. Only the lane uses the object.
/// </remarks>
internal sealed class HeldRecordBudget
{
    /// <summary>The most bytes that all records of the lane take.</summary>
    public const long MostBytes = 4 << 20;

    private const int Overhead = 64;    // the array and its place in a queue; otherwise, tiny records would take several times their length

    /// <summary>The bytes that are in use.</summary>
    public long Bytes { get; private set; }

    /// <summary>Returns the bytes that a record takes.</summary>
    public static int CostOf(int length) => length + Overhead;

    /// <summary>Takes bytes. Returns <see langword="false"/>, and takes nothing, if too few are left.</summary>
    /// <param name="bytes">The number of bytes. If it is negative, bytes are returned.</param>
    public bool TryTake(int bytes)
    {
        if (Bytes + bytes > MostBytes) { return false; }
        Bytes += bytes;
        return true;
    }

    /// <summary>Returns bytes that were taken.</summary>
    public void Return(int bytes) => Bytes -= bytes;
}
