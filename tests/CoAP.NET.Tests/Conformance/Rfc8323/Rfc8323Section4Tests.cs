using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Messages of a WebSocket, whose length its frames tell (RFC 8323, section 4.2), where they are wrong or as large as they may be.</summary>
public sealed class Rfc8323Section4Tests : IAsyncDisposable
{
    private const int MaxMessageSize = 2000;
    private const int AbortAboveSize = 400_000;
    private const byte Binary = 0x82;           // FIN, binary
    private const byte Close = 0x88;

    private readonly CoapServer _server = new(new() { Endpoints = [], Stream = new() { MaxMessageSize = MaxMessageSize, AbortAboveSize = AbortAboveSize } });

    public Rfc8323Section4Tests()
    {
        _server.Resources.At("size").Put(request => Response.Content($"{request.Payload.Length}"));
        _server.Start();
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    // Client                     Server
    //    | Binary: CSM               |
    //    |<------------------------->|
    //    | Binary: no message        |
    //    +-------------------------->|
    //    | Binary: Abort, diagnostic |  "the recipient rejects such messages by sending an Abort message"
    //    |<--------------------------+
    //    | Close                     |
    //    |<--------------------------+
    [Theory, Trait("RFC", "8323 5.6"), Trait("RFC", "8323 4.2")]
    [InlineData("", "nothing, where two bytes are the least")]
    [InlineData("00", "no code")]
    [InlineData("04 01 aa", "one byte of a token of four")]
    [InlineData("0d 01", "no extended token length")]
    [InlineData("0e 01 00", "half an extended token length")]
    [InlineData("0f 01", "a token length that is reserved")]
    [InlineData("01 01 7a b5 68", "one byte of an option of five")]
    [InlineData("01 01 7a ff", "no payload behind the marker")]
    [InlineData("01 00 7a", "an Empty message with a token")]
    [InlineData("00 20", "a code of a reserved class")]
    public async Task Malformed_bytes_cause_an_Abort_and_close_the_web_socket(string message, string why)
    {
        using var client = await OpenAsync();

        client.Send(message);
        var abort = await client.ReadAsync();
        var close = await client.ReadAsync();

        abort.Opcode.Should().Be(Binary, why);
        abort.Payload.Should().StartWith("00e5ff", why);
        close.Opcode.Should().Be(Close);
    }

    // The same where the CSM should be: it is missing or invalid (RFC 8323, section 3.3).
    [Theory, Trait("RFC", "8323 4.3"), Trait("RFC", "8323 3.3")]
    [InlineData("00"), InlineData("00 e1 21"), InlineData("01 01 7a"), InlineData("01 e2 7a")]
    public async Task Another_first_message_than_a_CSM_causes_an_Abort(string first)
    {
        using var client = new RawWebSocket(_server);
        await client.ReadAsync();

        client.Send(first);
        var abort = await client.ReadAsync();

        abort.Opcode.Should().Be(Binary);
        abort.Payload.Should().StartWith("00e5");
    }

    // Client                                Server
    //    | Binary: CSM                          |
    //    |<-------------------------------------+  Max-Message-Size 2000
    //    | Binary of 2000 bytes: PUT /size      |
    //    +------------------------------------->|
    //    | Binary: 2.05 "1991"                  |
    //    |<-------------------------------------+
    [Fact, Trait("RFC", "8323 5.3.1"), Trait("RFC", "8323 4.2")]
    public async Task A_message_of_exactly_the_announced_size_is_taken()
    {
        using var client = await OpenAsync();
        byte[] start = Hex.Bytes("01 03 7a b4 73697a65 ff");        // Len 0, PUT, token 7a, Uri-Path "size", the payload marker

        client.Send([.. start, .. new byte[MaxMessageSize - start.Length]]);
        var answer = await client.ReadAsync();

        answer.Payload.Should().Be("01457ac0ff" + Hex.Text("1991"u8));
    }

    // Client                                Server
    //    | Binary of 2001 bytes: PUT /size      |
    //    +------------------------------------->|
    //    | Binary: 4.13, Size1 2000             |
    //    |<-------------------------------------+  the connection goes on, as over TCP
    //    | Binary: PUT /size                    |
    //    +------------------------------------->|
    [Theory, Trait("RFC", "8323 5.3.1"), Trait("RFC", "7252 5.9.2.9")]
    [InlineData(1), InlineData(70_000), InlineData(300_000)]
    public async Task A_message_of_more_bytes_is_answered_4_13_and_the_connection_goes_on(int more)
    {
        using var client = await OpenAsync();
        byte[] start = Hex.Bytes("01 03 7a b4 73697a65 ff");

        client.Send([.. start, .. new byte[MaxMessageSize - start.Length + more]]);
        var refusal = await client.ReadAsync();
        client.Send([.. start, 1, 2, 3]);
        var answer = await client.ReadAsync();

        (refusal.Opcode, refusal.Payload).Should().Be((Binary, "018d7ad22f07d0"), "4.13, token 7a, and option 60: 2000");
        answer.Payload.Should().Be("01457ac0ff" + Hex.Text("3"u8));
    }

    [Fact, Trait("RFC", "8323 5.3.1")]
    public async Task A_response_or_an_empty_message_of_more_bytes_is_skipped()
    {
        using var client = await OpenAsync();

        client.Send(new byte[MaxMessageSize + 1]);
        client.Send([0x01, 0x45, 0x7b, .. new byte[MaxMessageSize]]);
        client.Send(Hex.Bytes("01 03 7a b4 73697a65 ff 01"));

        (await client.ReadAsync()).Payload.Should().Be("01457ac0ff" + Hex.Text("1"u8));
    }

    // Client                                Server
    //    | Text                                 |
    //    +------------------------------------->|
    //    | Binary: Abort with a diagnostic      |
    //    |<-------------------------------------+
    //    | Close 1003                           |
    //    |<-------------------------------------+
    [Theory, Trait("RFC", "8323 5.6"), Trait("RFC", "8323 4.2")]
    [InlineData(false, "binary", "03eb"), InlineData(true, "more than 400000 bytes", "03f1")]
    public async Task A_text_message_and_one_that_is_far_too_large_are_answered_by_an_Abort_and_the_Close_has_the_reason(bool isLarge, string reason, string status)
    {
        using var client = await OpenAsync();

        if (isLarge) { client.Send(new byte[AbortAboveSize + 1]); }
        else { client.SendText("GET /size"u8); }
        var abort = await client.ReadAsync();
        var close = await client.ReadAsync();

        (abort.Opcode, close.Opcode).Should().Be((Binary, Close));
        abort.Payload.Should().StartWith("00e5ff").And.Contain(Hex.Text(System.Text.Encoding.UTF8.GetBytes(reason)));
        close.Payload.Should().StartWith(status);
    }

    private async Task<RawWebSocket> OpenAsync()
    {
        var client = new RawWebSocket(_server);
        client.Send("00 e1");
        var csm = await client.ReadAsync();
        (csm.Opcode, csm.Payload).Should().Be((Binary, "00e12207d020"), "2: 2000, and 4: block-wise");
        return client;
    }
}
