using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Groups;

/// <summary>A request to a group may validate responses that the client has (RFC 10020, section 3.2.2).</summary>
public sealed class GroupValidationTests
{
    // Client              Member 1    Member 2
    //    | GET, ETag 1, 2     |           |
    //    +------------------->+---------->|
    //    | 2.03, ETag 1       |           |
    //    |<-------------------+           |
    //    | 2.05, ETag 3, 'new'            |
    //    |<-------------------------------+
    [Theory, Trait("RFC", "10020 3.2.2.1"), Trait("RFC", "7252 8.2.1")]
    [InlineData(1), InlineData(5)]
    public async Task A_GET_to_a_group_validates_a_response_with_its_ETag(byte method)
    {
        var network = new InMemoryNetwork();
        await using var first = Serve(network, "first", 1);
        await using var second = Serve(network, "second", 3);
        await using var client = new CoapClient(new CoapClientSettings { Network = network });
        var request = new CoapRequest(new CoapCode(method), "coap://224.0.1.187/r") { IsConfirmable = false, Options = [Tag(1), Tag(2)] };

        var answers = new Dictionary<string, CoapResponse>();
        await foreach (var answer in client.MulticastAsync(request))
        {
            answers[answer.Remote.ToString()] = answer;
            if (answers.Count == 2) { break; }
        }

        (answers["first"].Code, answers["first"].Options.Get<ETag>()).Should().Be((ResponseCode.Valid, Tag(1)));
        (answers["second"].Code, answers["second"].PayloadText).Should().Be((ResponseCode.Content, "state 3"));
    }

    // The same request gets the same answer, by unicast and by multicast.
    [Theory, Trait("RFC", "10020 3.2.2.1")]
    [InlineData("GET", "{ETag: 0x01}", "2.03 Valid (Token 0x71) {ETag: 0x01}")]
    [InlineData("GET", "{ETag: 0x02, ETag: 0x01}", "2.03 Valid (Token 0x71) {ETag: 0x01}")]
    [InlineData("FETCH", "{ETag: 0x01}", "2.03 Valid (Token 0x71) {ETag: 0x01}")]
    [InlineData("GET", "{ETag: 0x02}", "2.05 Content (Token 0x71) {ETag: 0x01, Content-Format: 0} 'state'")]
    public void A_resource_that_declares_its_tag_validates_requests_to_a_group_like_others(string method, string options, string answer)
    {
        var wire = new Wire(new ManualClock());
        using var client = ScriptedPeer.ClientOf(wire, "224.0.1.187");
        using var member = LaneEnd.Member(
            wire,
            "member",
            static map => map.At("r").WithTag(static _ => Tag(1)).AnswersMulticast()
                .Get(static _ => Response.Content("state"), HandlerMode.Inline)
                .Fetch(static _ => Response.Content("state"), HandlerMode.Inline),
            new() { Multicast = new() { Leisure = TimeSpan.Zero } });

        client.Send($"NON [0xfc01] {method} /r (Token 0x71) {options}");
        client.Expect($"NON [A] {answer}");
        client.TalkTo("member");
        client.Send($"NON [0x0001] {method} /r (Token 0x71) {options}");
        client.Expect($"NON [B] {answer}");
    }

    private static ETag Tag(byte tag) => new(new[] { tag });

    private static CoapServer Serve(InMemoryNetwork network, string name, byte tag)
    {
        var server = new CoapServer(new CoapServerSettings
        {
            Network = network,
            Endpoints = [ServerEndpoint.InMemory(name)],
            Multicast = new MulticastSettings { Leisure = TimeSpan.Zero },
        });
        server.Resources.At("r").Get(Answer, HandlerMode.Inline).Fetch(Answer, HandlerMode.Inline).AnswersMulticast();
        server.Start();
        return server;

        CoapResponse Answer(IncomingRequest request) => request.Options.GetAll<ETag>().Contains(Tag(tag))
            ? Response.Valid(Tag(tag))
            : new CoapResponse(ResponseCode.Content) { Options = [Tag(tag)], Payload = System.Text.Encoding.UTF8.GetBytes($"state {tag}") };
    }
}
