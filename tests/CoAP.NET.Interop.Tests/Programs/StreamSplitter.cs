namespace CoAP.Interop.Tests.Programs;

/// <summary>Cuts the bytes of a connection into messages, by RFC 8323, section 3.2, and without the library's help.</summary>
internal static class StreamSplitter
{
    public static IEnumerable<byte[]> Split(byte[] stream)
    {
        for (var start = 0; start < stream.Length;)
        {
            var (nibble, tokenLength) = (stream[start] >> 4, stream[start] & 15);
            var extended = nibble switch { 13 => 1, 14 => 2, 15 => 4, _ => 0 };
            long value = 0;
            for (var i = 1; i <= extended; i++) { value = (value << 8) | stream[start + i]; }
            var length = nibble switch { 13 => value + 13, 14 => value + 269, 15 => value + 65_805, _ => nibble };
            var end = checked((int)(start + 1 + extended + 1 + tokenLength + length));
            end.Should().BeLessThanOrEqualTo(stream.Length, "a connection does not end inside a message");
            yield return stream[start..end];
            start = end;
        }
    }
}
