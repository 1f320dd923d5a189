namespace CoAP.Benchmarks.Load;

/// <summary>The requests of attackers.</summary>
internal static class AttackRequests
{
    private const int TokenLength = 4, LongTokenLength = 8, LargestBlock = 6, BlockBytes = 1024, SmallestBlock = 0, SmallBlockBytes = 16;

    public static CoapMessage Slow { get; } = Get("slow", new UriQuery("ms=60000"));

    public static CoapMessage Hello { get; } = Get("hello");

    public static CoapMessage Large { get; } = Get("large");

    /// <summary>Asks for all blocks of a body at once (RFC 9177, section 4.4).</summary>
    public static CoapMessage LargeRobust { get; } = Get("large", new UriQuery("size=60000"), new QBlock2(0, hasMore: true, LargestBlock));

    public static CoapMessage Registration { get; } = Get("time", new Observe(0));

    /// <summary>The same with a token of eight bytes.</summary>
    public static CoapMessage LongRegistration { get; } =
        new() { Code = Registration.Code, Token = new Token(new byte[LongTokenLength]), Options = Registration.Options };

    public static CoapMessage Throwing { get; } = Get("throwing");

    /// <summary>A request for a handler that takes 20 ms of its thread.</summary>
    public static CoapMessage Working { get; } = Get("working");

    /// <summary>Asks whether an entity tag is that of a representation of 4 MiB (RFC 7252, section 5.10.6).</summary>
    public static CoapMessage Validation { get; } = Get("representation", new ETag(new byte[] { 1, 2, 3, 4 }));

    /// <summary>A request that must not be executed twice.</summary>
    public static CoapMessage Counted { get; } = new() { Code = RequestCode.Post, Token = new Token(new byte[TokenLength]), Options = [new UriPath("counted")] };

    public static CoapMessage Deletion { get; } = new() { Code = RequestCode.Delete, Token = new Token(new byte[TokenLength]), Options = [new UriPath("held")] };

    /// <summary>A request whose path has a number of segments of one byte.</summary>
    public static CoapMessage LongPath(int segments) => new()
    {
        Code = RequestCode.Get,
        Token = new Token(new byte[TokenLength]),
        Options = [.. Enumerable.Repeat(new UriPath("a"), segments)],
    };

    /// <summary>A block of 16 bytes of an upload that ends after 64 Ki blocks.</summary>
    public static CoapMessage SmallBlock(int number) => new()
    {
        Code = RequestCode.Put,
        Token = new Token(new byte[TokenLength]),
        Options = [new UriPath("held"), new Block1(number, hasMore: true, SmallestBlock)],
        Payload = new byte[SmallBlockBytes],
    };

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
