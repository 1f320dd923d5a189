using CoAP.Options;

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
    [Theory, Trait("RFC", "10020 3.2.2"), Trait("RFC", "7252 8.2.1")]
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
