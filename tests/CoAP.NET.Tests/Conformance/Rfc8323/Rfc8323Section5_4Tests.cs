using CoAP.Tests.Streams;

namespace CoAP.Tests.Conformance;

/// <summary>Ping and Pong with options that nobody knows (RFC 8323, section 5.4).</summary>
public sealed class Rfc8323Section5_4Tests : IAsyncDisposable
{
    private readonly StreamHost _host = new();

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Fact, Trait("RFC", "8323 5.4")]
    public async Task Elective_options_that_are_unknown_are_ignored_in_Ping_and_Pong()
    {
        using var peer = await _host.OpenAsync();

        peer.Send("""
            11 e3 43 40     # Len 1, TKL 1, Pong, token 43, option 4 without a value
            21 e2 42 41 07  # Len 2, TKL 1, Ping, token 42, option 4 with the value 7
            """);

        (await peer.ReadAsync()).Should().Be("01e342", "the Pong to the Ping; nothing answers the Pong");
    }
}
