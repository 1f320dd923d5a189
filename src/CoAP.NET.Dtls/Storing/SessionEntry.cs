namespace CoAP.Dtls;

/// <summary>An entry of a <see cref="SessionFile"/>: its kind, and the encrypted session or the encrypted name of one that has ended.</summary>
internal static class SessionEntry
{
    private const byte Session = 0, Removal = 1;

    public static byte[] OfSession(byte[] encrypted) => [Session, .. encrypted];

    public static byte[] OfRemoval(byte[] encrypted) => [Removal, .. encrypted];

    public static bool IsRemoval(byte[] entry) => entry[0] == Removal;

    public static ReadOnlySpan<byte> ContentOf(byte[] entry) => entry.AsSpan(1);
}
