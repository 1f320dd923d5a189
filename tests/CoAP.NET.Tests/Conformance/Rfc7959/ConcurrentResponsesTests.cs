using System.Text;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Our client asks our server for two large responses of one resource at the same time, which RFC 7959, section 2.4, cannot keep apart.</summary>
public sealed class ConcurrentResponsesTests : IDisposable
{
    private const int Length = 3000;

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly LaneEnd _client;

    public ConcurrentResponsesTests()
    {
        _server = LaneEnd.Server(_wire, resources => resources.At("r").Post(Repeat, HandlerMode.Inline).Fetch(Repeat, HandlerMode.Inline));
        _client = LaneEnd.Client(_wire, new CoapClientSettings { Transmission = new() { NStart = 2 } });
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    [Theory, Trait("RFC", "7959 2.4"), Trait("RFC", "9175 3.8")]
    [InlineData("POST"), InlineData("FETCH")]
    public async Task A_client_never_gets_blocks_of_another_response(string method)
    {
        var calls = new[] { "a", "b" }.Select(text => (text, Call: Send(method, text))).ToArray();
        _wire.RunUntil(() => calls.All(one => one.Call.IsCompleted), TimeSpan.FromMinutes(10)).Should().BeTrue();

        var complete = 0;
        foreach (var (text, call) in calls)
        {
            var error = await Record.ExceptionAsync(() => call);
            if (error is not null) { error.Should().BeOfType<CoapTransferException>(); }
            else if ((await call).IsSuccess)
            {
                (await call).PayloadText.Should().Be(string.Concat(Enumerable.Repeat(text, Length)));
                complete++;
            }
        }
        complete.Should().BePositive("the later response takes the place of the earlier one and is complete");
    }

    [Fact, Trait("RFC", "7252 5.10.6")]
    public void A_response_that_names_what_was_created_has_no_ETag_made_for_it()
    {
        using var client = ScriptedPeer.Client(_wire, "other");

        client.Send("CON [0x0001] POST /r {Block2: 0/0/16} 'new'");

        client.Expect("ACK [0x0001] 2.01 Created {Location-Path: it, Block2: 0/1/16, Size2: 3000} 'newnewnewnewnewn'");
    }

    private static CoapResponse Repeat(IncomingRequest request)
    {
        var text = string.Concat(Enumerable.Repeat(request.PayloadText, Length / request.PayloadText.Length));
        var isNew = request.PayloadText == "new";
        return new(isNew ? ResponseCode.Created : ResponseCode.Changed) { Options = isNew ? [new LocationPath("it")] : [], Payload = Encoding.ASCII.GetBytes(text) };
    }

    private Task<CoapResponse> Send(string method, string text) => _client.Send(
        new CoapRequest(method == "POST" ? RequestCode.Post : RequestCode.Fetch, "/r") { Payload = Encoding.ASCII.GetBytes(text) });
}
