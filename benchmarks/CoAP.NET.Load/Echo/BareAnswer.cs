using System.Buffers;
using System.IO.Pipelines;

namespace CoAP.Load.Echo;

/// <summary>The least that answers a request: 2.05 with the sample server's greeting, and no protocol at all.</summary>
internal static class BareAnswer
{
    /// <summary>No answer is longer, in bytes.</summary>
    public const int Longest = 32;

    private const byte Content = 0x45, PayloadMarker = 0xFF, Signals = 0xE0;

    /// <summary>The CSM that a connection begins with (RFC 8323, section 5.3).</summary>
    public static ReadOnlySpan<byte> Csm => [0x00, 0xE1];

    private static ReadOnlySpan<byte> Greeting => "Hello, CoAP!"u8;

    /// <summary>Writes the piggybacked or non-confirmable answer to a datagram and returns its length; 0 where the datagram is no request.</summary>
    public static int ToDatagram(ReadOnlySpan<byte> request, Span<byte> answer)
    {
        if (request.Length < 4 || (request[0] & 15) > 8 || request.Length < 4 + (request[0] & 15) || request[1] == 0) { return 0; }
        var token = request[0] & 15;
        answer[0] = (byte)(((request[0] & 0x30) == 0 ? 0x60 : 0x50) | token);
        answer[1] = Content;
        request.Slice(2, 2 + token).CopyTo(answer[2..]);
        return 4 + token + WriteGreeting(answer[(4 + token)..]);
    }

    /// <summary>Answers all whole messages of a connection and returns the bytes that they had.</summary>
    public static long ToStream(in ReadOnlySequence<byte> input, PipeWriter output)
    {
        var bytes = input.IsSingleSegment ? input.FirstSpan : input.ToArray();
        var at = 0;
        while (StreamFrame.TryRead(bytes[at..], out var frame) && frame.Length <= bytes.Length - at)
        {
            at += (int)frame.Length;
            if (frame.Code is 0 or >= Signals || frame.Token.Length > 8) { continue; }
            var answer = output.GetSpan(Longest);
            answer[0] = (byte)(0xD0 | frame.Token.Length);
            answer[1] = (byte)(1 + Greeting.Length - 13);
            answer[2] = Content;
            frame.Token.CopyTo(answer[3..]);
            var head = 3 + frame.Token.Length;
            output.Advance(head + WriteGreeting(answer[head..]));
        }

        return at;
    }

    private static int WriteGreeting(Span<byte> answer)
    {
        answer[0] = PayloadMarker;
        Greeting.CopyTo(answer[1..]);
        return 1 + Greeting.Length;
    }
}
