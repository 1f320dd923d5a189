using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>A download from a server that changes its mind or breaks the rules (RFC 7959, sections 2.3 and 2.4).</summary>
public sealed class ClientDownloadEndsTests : ClientBlocksUnderTest
{
    public ClientDownloadEndsTests()
        : base(new ClientTransferSettings { BlockSize = 64, MaxResponseBody = 500, MaxRestarts = 1 })
    {
    }

    // CLIENT                                                     SERVER
    //   | CON, GET, /status                            ------>     |
    //   | <------   ACK, 2.05 Content, 2:0/1/64                    |
    //   | CON, GET, /status, 2:1/0/64                  ------>     |
    //   | <------   ACK, (the block)                               |
    //   |                (nothing more)                            |
    [Theory, Trait("RFC", "7959 2.3"), Trait("RFC", "7959 2.4")]
    [InlineData("2/1/64", 64, "*Block2 2/1/64 arrived instead of the block at byte 64*")]
    [InlineData("0/1/64", 64, "*instead of the block at byte 64*")]
    [InlineData("1/1/128", 128, "*instead of the block at byte 64*")]
    [InlineData("1/1/64", 63, "*Block2 1/1/64 has a payload of 63 bytes although more follow*")]
    [InlineData("1/1/64", 65, "*65 bytes although more follow*")]
    [InlineData("1/1/64", 0, "*0 bytes although more follow*")]
    [InlineData("0/1/BERT", 64, "*reserved*")]
    [InlineData("", 64, "*without Block2*")]
    public void A_wrong_block_breaks_the_transfer(string block, int length, string reason)
    {
        var call = Begin();

        Server.Expect("CON [B] GET /status (Token U) {Block2: 1/0/64}");
        Server.Send($"ACK [B] 2.05 Content (Token U){(block.Length > 0 ? $" {{Block2: {block}}}" : "")}{(length > 0 ? $" '{Text(length)}'" : "")}");

        ExpectNothingLeft();
        call.Invoking(one => one.Answer()).Should().Throw<CoapTransferException>().WithMessage(reason);
    }

    [Theory, Trait("RFC", "7959 2.4")]
    [InlineData("4.04"), InlineData("4.08"), InlineData("5.00")]
    public void An_error_in_the_middle_is_the_outcome(string code)
    {
        var call = Begin();

        Server.Expect("CON [B] GET /status (Token U) {Block2: 1/0/64}");
        Server.Send($"ACK [B] {code} (Token U) 'gone'");

        ExpectNothingLeft();
        (call.Answer().Code.ToString(), call.Answer().PayloadText).Should().Be((code, "gone"));
    }

    [Fact, Trait("RFC", "7959 2.3")]
    public void Sizes_that_grow_and_shrink_are_taken_as_long_as_the_blocks_follow_each_other()
    {
        var call = Begin();

        Block("1/0/64", "2/1/32", 64, 96);
        Block("3/0/32", "6/1/16", 96, 112);
        Block("7/0/16", "7/1/16", 112, 128);
        Block("8/0/16", "2/0/64", 128, 150);

        ExpectNothingLeft();
        call.Answer().PayloadText.Should().Be(Text(150));
    }

    [Fact]
    public void A_server_that_never_ends_is_left_when_the_body_is_larger_than_allowed()
    {
        var call = Begin();

        for (var number = 1; number < 8; number++) { Block($"{number}/0/64", $"{number}/1/64", number * 64, (number + 1) * 64); }

        ExpectNothingLeft();
        call.Invoking(one => one.Answer()).Should().Throw<CoapTransferException>().WithMessage("*512 bytes or more; at most 500*");
    }

    [Fact, Trait("RFC", "7959 4")]
    public void A_body_announced_as_too_large_is_not_started()
    {
        var call = Client.Get("/status");

        Server.Expect("CON [A] GET /status (Token T)");
        Server.Send($"ACK [A] 2.05 Content (Token T) {{Block2: 0/1/64, Size2: 501}} '{Text(64)}'");

        ExpectNothingLeft();
        call.Invoking(one => one.Answer()).Should().Throw<CoapTransferException>().WithMessage("*501*at most 500*");
    }

    // CLIENT                                                     SERVER
    //   | CON, GET, /status                            ------>     |
    //   | <------   ACK, 2.05 Content, ETag 01, 2:0/1/64           |
    //   | CON, GET, /status, 2:1/0/64                  ------>     |
    //   | <------   ACK, 2.05 Content, ETag 02, 2:1/0/64           |
    //   | CON, GET, /status                            ------>     |
    //   | <------   ACK, 2.05 Content, ETag 02, 2:0/1/64           |
    [Fact, Trait("RFC", "7959 2.4")]
    public void A_changed_ETag_begins_the_transfer_anew()
    {
        var call = Begin("0x01");

        Tagged("B", "1/0/64", "1/0/64", "0x02", 64, 90);
        Server.Expect("CON [C] GET /status (Token V)");
        Server.Send($"ACK [C] 2.05 Content (Token V) {{ETag: 0x02, Block2: 0/1/64}} '{Text(64).ToUpperInvariant()}'");
        Tagged("D", "1/0/64", "1/0/64", "0x02", 64, 90);

        ExpectNothingLeft();
        call.Answer().PayloadText.Should().Be(Text(64).ToUpperInvariant() + Text(90)[64..]);
    }

    [Fact, Trait("RFC", "7959 2.4")]
    public void A_representation_that_changes_too_often_breaks_the_transfer()
    {
        var call = Begin("0x01");

        Tagged("B", "1/0/64", "1/0/64", "0x02", 64, 90);
        Server.Expect("CON [C] GET /status (Token V)");
        Server.Send($"ACK [C] 2.05 Content (Token V) {{ETag: 0x02, Block2: 0/1/64}} '{Text(64)}'");
        Tagged("D", "1/0/64", "1/0/64", "0x03", 64, 90);

        ExpectNothingLeft();
        call.Invoking(one => one.Answer()).Should().Throw<CoapTransferException>().WithMessage("*changed at byte 64*02*03*");
    }

    [Fact]
    public void A_time_out_in_the_middle_breaks_the_transfer_and_says_why()
    {
        var call = Begin();

        Server.TakeAll(seconds: 100);

        ExpectNothingLeft();
        call.Invoking(one => one.Answer()).Should().Throw<CoapTransferException>().WithInnerException<CoapTimeoutException>();
    }

    [Fact]
    public void A_Reset_in_the_middle_breaks_the_transfer_and_says_why()
    {
        var call = Begin();

        Server.Expect("CON [B] GET /status (Token U) {Block2: 1/0/64}");
        Server.Send("RST [B]");

        ExpectNothingLeft();
        call.Invoking(one => one.Answer()).Should().Throw<CoapTransferException>().WithInnerException<CoapResetException>();
    }

    [Fact]
    public void Cancelling_in_the_middle_leaves_nothing_behind_and_late_blocks_bring_nothing_back()
    {
        using var cancel = new CancellationTokenSource();
        var call = Client.Send(new CoapRequest(RequestCode.Get, "/status"), cancellationToken: cancel.Token);
        First("");
        Server.Expect("CON [B] GET /status (Token U) {Block2: 1/0/64}");

        cancel.Cancel();
        Server.ExpectNothing(seconds: 1);
        Server.Send($"ACK [B] 2.05 Content (Token U) {{Block2: 1/1/64}} '{Text(64)}'");

        ExpectNothingLeft();
        call.Invoking(one => one.Answer()).Should().Throw<OperationCanceledException>();
    }

    [Fact]
    public void Duplicates_and_late_blocks_are_not_taken_for_others()
    {
        Wire.Duplicate(Direction.ToClient, nth: 1);
        Wire.Delay(Direction.ToClient, nth: 2, TimeSpan.FromSeconds(3));
        var call = Begin();

        Server.Expect("CON [B] GET /status (Token U) {Block2: 1/0/64}", at: 0);
        Server.Send($"ACK [B] 2.05 Content (Token U) {{Block2: 1/1/64}} '{Part(150, 1, 64)}'");
        Server.Expect("CON [B] GET /status (Token U) {Block2: 1/0/64}", at: 2);
        Server.Send($"ACK [B] 2.05 Content (Token U) {{Block2: 1/1/64}} '{Part(150, 1, 64)}'");
        Server.Expect("CON [C] GET /status (Token V) {Block2: 2/0/64}", at: 2);
        Server.Send($"ACK [C] 2.05 Content (Token V) {{Block2: 2/0/64}} '{Part(150, 2, 64)}'");

        ExpectNothingLeft();
        call.Answer().PayloadText.Should().Be(Text(150));
    }

    private Task<CoapResponse> Begin(string etag = "")
    {
        var call = Client.Get("/status");
        First(etag);
        return call;
    }

    private void First(string etag)
    {
        Server.Expect("CON [A] GET /status (Token T)");
        Server.Send($"ACK [A] 2.05 Content (Token T) {{{(etag.Length > 0 ? $"ETag: {etag}, " : "")}Block2: 0/1/64}} '{Text(64)}'");
    }

    private void Block(string asked, string sent, int from, int to)
    {
        Server.Expect($"CON [M{from}] GET /status (Token T{from}) {{Block2: {asked}}}");
        Server.Send($"ACK [M{from}] 2.05 Content (Token T{from}) {{Block2: {sent}}} '{Text(to)[from..]}'");
    }

    private void Tagged(string name, string asked, string sent, string etag, int from, int to)
    {
        Server.Expect($"CON [{name}] GET /status (Token T{name}) {{Block2: {asked}}}");
        Server.Send($"ACK [{name}] 2.05 Content (Token T{name}) {{ETag: {etag}, Block2: {sent}}} '{Text(to)[from..]}'");
    }
}
