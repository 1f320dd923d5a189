namespace CoAP.Benchmarks.Load;

/// <summary>The requests of attackers.</summary>
internal static class AttackRequests
{
    /// <summary>The length of every token in bytes.</summary>
    public const int TokenLength = 4;

    private const int LargestBlock = 6, BlockBytes = 1024;

    public static CoapMessage Slow { get; } = Get("slow", new UriQuery("ms=60000"));

    public static CoapMessage Large { get; } = Get("large");

    /// <summary>Asks for all blocks of a body at once (RFC 9177, section 4.4).</summary>
    public static CoapMessage LargeRobust { get; } = Get("large", new UriQuery("size=60000"), new QBlock2(0, hasMore: true, LargestBlock));

    public static CoapMessage Registration { get; } = Get("time", new Observe(0));

    public static CoapMessage Throwing { get; } = Get("throwing");

    /// <summary>The first block of an upload that never continues.</summary>
    public static CoapMessage FirstBlock(CoapCode method, params string[] path) => new()
    {
        Code = method,
        Token = new Token(new byte[TokenLength]),
        Options = [.. path.Select(static segment => new UriPath(segment)), new Block1(0, hasMore: true, LargestBlock)],
        Payload = new byte[BlockBytes],
    };

    /// <summary>The same request with an Echo value, if there is one.</summary>
    public static CoapMessage With(this CoapMessage request, Echo? echo) => echo is null ? request
        : new() { Code = request.Code, Token = request.Token, Options = [.. request.Options, echo], Payload = request.Payload };

    public static byte[] ToDatagram(this CoapMessage request) => CoapMessageSerializer.Datagram.Serialize(request);

    /// <summary>Returns a frame for connections. Its token is a number.</summary>
    public static byte[] ToFrame(this CoapMessage request, int number) => CoapMessageSerializer.Stream.Serialize(
        new() { Code = request.Code, Token = new Token(BitConverter.GetBytes(number)), Options = request.Options, Payload = request.Payload });

    private static CoapMessage Get(string path, params CoapOption[] options) =>
        new() { Code = RequestCode.Get, Token = new Token(new byte[TokenLength]), Options = [new UriPath(path), .. options] };
}
