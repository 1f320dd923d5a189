namespace CoAP.Benchmarks.Load;

/// <summary>Answers GET with 2.05 and the sample server's greeting, and POST with 2.04 and the reversed payload. Implements nothing else of the protocol.</summary>
internal static class BareAnswer
{
    private const byte Content = 0x45, Changed = 0x44, PayloadMarker = 0xFF;

    private static ReadOnlySpan<byte> Greeting => "Hello, CoAP!"u8;

    /// <summary>Writes the piggybacked or non-confirmable answer to a datagram and returns its length; 0 if the datagram is no request.</summary>
    public static int ToDatagram(ReadOnlySpan<byte> request, Span<byte> answer)
    {
        var token = request.IsEmpty ? 0 : request[0] & 15;
        if (token > 8 || request.Length < 4 + token || request[1] == 0) { return 0; }
        var payload = PayloadOf(request[1], request);
        answer[0] = (byte)(((request[0] & 0x30) == 0 ? 0x60 : 0x50) | token);
        answer[1] = CodeOf(request[1]);
        request.Slice(2, 2 + token).CopyTo(answer[2..]);
        return Write(request[1], payload, answer, 4 + token);
    }

    /// <summary>Writes the answer to a frame and returns its length; 0 for a signal. The answer has at most 267 bytes behind its token.</summary>
    public static int ToFrame(in StreamFrame frame, ReadOnlySpan<byte> message, Span<byte> answer)
    {
        if (frame.Code == 0 || frame.IsSignal || frame.Token.Length > 8) { return 0; }
        var payload = PayloadOf(frame.Code, message);
        ReadOnlySpan<byte> head = payload.Length < 12
            ? [(byte)(((1 + payload.Length) << 4) | frame.Token.Length), CodeOf(frame.Code)]
            : [(byte)(0xD0 | frame.Token.Length), (byte)(payload.Length - 12), CodeOf(frame.Code)];
        head.CopyTo(answer);
        frame.Token.CopyTo(answer[head.Length..]);
        return Write(frame.Code, payload, answer, head.Length + frame.Token.Length);
    }

    private static byte CodeOf(byte method) => method == LoadSettings.Get ? Content : Changed;

    private static ReadOnlySpan<byte> PayloadOf(byte method, ReadOnlySpan<byte> request) =>
        method == LoadSettings.Get ? Greeting : request[(request.LastIndexOf(PayloadMarker) + 1)..];

    private static int Write(byte method, ReadOnlySpan<byte> payload, Span<byte> answer, int at)
    {
        answer[at] = PayloadMarker;
        payload.CopyTo(answer[(at + 1)..]);
        if (method != LoadSettings.Get) { answer.Slice(at + 1, payload.Length).Reverse(); }
        return at + 1 + payload.Length;
    }
}
