namespace CoAP.Tests.Siege.Wall;

/// <summary>A peer of the server under siege. Requests have the notation of <see cref="MessageNotation"/> without type, message ID and token.</summary>
internal abstract class Guest : IDisposable
{
    private const int Observe = 6;
    private const int Echo = 252;
    private const int PongCode = 0xE3;

    private WireOption? _echo;
    private byte _lastToken;

    /// <summary>Sends a request. Returns the code of its response, with "observed" for a registered observer, or "" if no response comes at once.</summary>
    public async Task<string> AskAsync(string request)
    {
        await SendAsync(WithToken(request));
        return await TakeAsync() is { } response ? Describe(response) : "";
    }

    /// <summary>The same, and proves the address if the server asks for it. Waits for the response of a handler that runs on another thread.</summary>
    public async Task<string> AskHonestlyAsync(string request)
    {
        await ProveAsync();
        await SendAsync(WithToken(request));
        return Describe(await AwaitAsync());
    }

    /// <summary>Proves the address by an Echo option, as any client does after a 4.01 (RFC 9175, section 2.3).</summary>
    public async Task ProveAsync()
    {
        await SendAsync(WithToken("GET /large"));
        _echo = (await AwaitAsync()).Options.FirstOrDefault(static option => option.Number == Echo);
        if (_echo is null) { return; }
        await SendAsync(WithToken("GET /state"));
        await AwaitAsync();
        _echo = null;
    }

    /// <summary>Waits for the response to the last request, which had none at once.</summary>
    public async Task<string> AwaitAnswerAsync() => Describe(await AwaitAsync());

    public abstract void Dispose();

    protected byte[] LastToken => [0x70, _lastToken];

    protected abstract Task SendAsync(WireMessage request);

    /// <summary>The response to the last request if it is there.</summary>
    protected abstract Task<WireMessage?> TakeAsync();

    /// <summary>The response to the last request.</summary>
    protected abstract Task<WireMessage> AwaitAsync();

    protected bool IsAnswer(WireMessage message) => message.Code is > 0 and not PongCode && message.Token.AsSpan().SequenceEqual(LastToken);

    private WireMessage WithToken(string request)
    {
        _lastToken++;
        var message = MessageNotation.Parse(request.Insert(0, "CON [0x0000] "), []) with { Token = LastToken };
        return _echo is null ? message : message with { Options = [.. message.Options, _echo] };
    }

    private static string Describe(WireMessage message) =>
        $"{message.Code >> 5}.{message.Code & 31:d2}{(message.Options.Any(static option => option.Number == Observe) ? " observed" : "")}";
}
