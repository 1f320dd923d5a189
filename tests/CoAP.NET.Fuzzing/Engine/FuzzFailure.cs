namespace CoAP.Fuzzing.Engine;

/// <summary>An input broke a rule of its target.</summary>
internal sealed class FuzzFailure(string message) : Exception(message)
{
    public static void ThrowIf(bool isBroken, string rule)
    {
        if (isBroken) { throw new FuzzFailure(rule); }
    }
}
