using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Methods and conditional requests (RFC 7252, sections 5.8 and 5.10.8) through our server to the handlers of a small store, and back.</summary>
public sealed class Rfc7252Section5_8Tests : IDisposable
{
    private const uint Json = 50;

    private readonly Wire _wire = new(new ManualClock());
    private readonly Dictionary<string, string> _things = [];
    private readonly ScriptedPeer _client;
    private readonly LaneEnd _server;

    public Rfc7252Section5_8Tests()
    {
        _client = ScriptedPeer.Client(_wire);
        _server = LaneEnd.Server(_wire, Map);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    // Client              Server
    //    | POST /things       |
    //    +------------------->|
    //    | 2.01 Created       |  Location-Path: "things", "1"
    //    |<-------------------+
    //    | GET /things/1      |
    //    +------------------->|
    [Fact, Trait("RFC", "7252 5.8.2"), Trait("RFC", "7252 5.9.1.1"), Trait("RFC", "7252 5.10.7")]
    public void POST_creates_a_resource_and_the_response_names_its_location()
    {
        _client.Send("CON [0x0001] POST /things 'abc'");
        _client.Expect("ACK [0x0001] 2.01 Created {Location-Path: things, Location-Path: 1}");

        _client.Send("CON [0x0002] GET /things/1");
        _client.Expect("ACK [0x0002] 2.05 Content {ETag: 0x03} 'abc'");
    }

    [Fact, Trait("RFC", "7252 5.8.3"), Trait("RFC", "7252 5.8.1"), Trait("RFC", "7252 5.9.1.1"), Trait("RFC", "7252 5.9.1.4"), Trait("RFC", "7252 5.9.1.5")]
    public void PUT_creates_what_is_not_there_and_changes_what_is_and_GET_returns_it()
    {
        _client.Send("CON [0x0001] PUT /things/a 'abc'");
        _client.Expect("ACK [0x0001] 2.01 Created");
        _client.Send("CON [0x0002] PUT /things/a 'abcd'");
        _client.Expect("ACK [0x0002] 2.04 Changed");

        _client.Send("CON [0x0003] GET /things/a");
        _client.Expect("ACK [0x0003] 2.05 Content {ETag: 0x04} 'abcd'");
    }

    [Fact, Trait("RFC", "7252 5.8.4"), Trait("RFC", "7252 5.9.1.2")]
    public void DELETE_is_answered_2_02_whether_the_resource_was_there_or_not()
    {
        _things["a"] = "abc";

        _client.Send("CON [0x0001] DELETE /things/a");
        _client.Expect("ACK [0x0001] 2.02 Deleted");
        _client.Send("CON [0x0002] DELETE /things/a");
        _client.Expect("ACK [0x0002] 2.02 Deleted");

        _client.Send("CON [0x0003] GET /things/a");
        _client.Expect("ACK [0x0003] 4.04 Not Found");
    }

    [Theory, Trait("RFC", "7252 5.8.1"), Trait("RFC", "7252 5.10.6.1"), Trait("RFC", "7252 5.10.6.2"), Trait("RFC", "7252 5.9.1.3")]
    [InlineData("{ETag: 0x03}", "2.03 Valid {ETag: 0x03}")]
    [InlineData("{ETag: 0x05, ETag: 0x03, ETag: 0x0102030405060708}", "2.03 Valid {ETag: 0x03}")]
    [InlineData("{ETag: 0x05}", "2.05 Content {ETag: 0x03} 'abc'")]
    [InlineData("{ETag: 0x0003}", "2.05 Content {ETag: 0x03} 'abc'")]
    public void GET_with_the_ETag_of_the_current_representation_gets_2_03_with_this_ETag(string options, string response)
    {
        _things["a"] = "abc";

        _client.Send($"CON [0x0001] GET /things/a {options}");

        _client.Expect($"ACK [0x0001] {response}");
    }

    [Theory, Trait("RFC", "7252 5.10.8"), Trait("RFC", "7252 5.10.8.1"), Trait("RFC", "7252 5.9.2.8")]
    [InlineData("PUT /things/a {If-Match: 0x03}", "2.04 Changed", "abcd")]
    [InlineData("PUT /things/a {If-Match: 0x05, If-Match: 0x03}", "2.04 Changed", "abcd")]
    [InlineData("PUT /things/a {If-Match: }", "2.04 Changed", "abcd")]
    [InlineData("PUT /things/a {If-Match: 0x05}", "4.12 Precondition Failed", "abc")]
    [InlineData("PUT /things/b {If-Match: }", "4.12 Precondition Failed", "abc")]
    public void If_Match_lets_a_handler_change_only_the_representation_that_the_client_knows(string request, string response, string stored)
    {
        _things["a"] = "abc";

        _client.Send($"CON [0x0001] {request} 'abcd'");

        _client.Expect($"ACK [0x0001] {response}");
        _things.Should().Equal(new Dictionary<string, string> { ["a"] = stored });
    }

    [Theory, Trait("RFC", "7252 5.10.8"), Trait("RFC", "7252 5.10.8.2"), Trait("RFC", "7252 5.9.2.8")]
    [InlineData("/things/a", "4.12 Precondition Failed", "abc")]
    [InlineData("/things/b", "2.01 Created", "abcd")]
    public void If_None_Match_lets_a_handler_create_only_what_is_not_there(string path, string response, string stored)
    {
        _things["a"] = "abc";

        _client.Send($"CON [0x0001] PUT {path} {{If-None-Match: }} 'abcd'");

        _client.Expect($"ACK [0x0001] {response}");
        _things[path[^1..]].Should().Be(stored);
    }

    [Theory, Trait("RFC", "7252 5.5.4"), Trait("RFC", "7252 5.10.4"), Trait("RFC", "7252 5.8.1")]
    [InlineData("GET /temperature", "2.05 Content {Content-Format: 0} '22'")]
    [InlineData("GET /temperature {Accept: 0}", "2.05 Content {Content-Format: 0} '22'")]
    [InlineData("GET /temperature {Accept: 50}", "2.05 Content {Content-Format: 50} '[22]'")]
    [InlineData("GET /temperature {Accept: 60}", "4.06 Not Acceptable")]
    public void Accept_chooses_one_of_several_formats_and_without_it_the_server_does(string request, string response)
    {
        _client.Send($"CON [0x0001] {request}");

        _client.Expect($"ACK [0x0001] {response}");
    }

    private void Map(ResourceMap resources)
    {
        resources.At("things").Post(Create, HandlerMode.Inline);
        resources.At("things/{name}").HandlesConditions().Get(Read, HandlerMode.Inline).Put(Write, HandlerMode.Inline).Delete(Remove, HandlerMode.Inline);
        resources.At("temperature").Produces(0, Json).Get(
            request => request.Options.Get<Accept>()?.Value == Json ? Response.Content("[22]"u8.ToArray(), Json) : Response.Content("22"), HandlerMode.Inline);
    }

    private CoapResponse Create(IncomingRequest request)
    {
        var name = $"{_things.Count + 1}";
        _things[name] = request.PayloadText;
        return new(ResponseCode.Created) { Options = [new LocationPath("things"), new LocationPath(name)] };
    }

    private CoapResponse Read(IncomingRequest request)
    {
        if (!_things.TryGetValue(request["name"], out var text)) { return Response.NotFound; }
        var tag = TagOf(text);
        return request.Options.GetAll<ETag>().Contains(tag)
            ? Response.Valid(tag)
            : new(ResponseCode.Content) { Options = [tag], Payload = System.Text.Encoding.UTF8.GetBytes(text) };
    }

    private CoapResponse Write(IncomingRequest request)
    {
        var isThere = _things.TryGetValue(request["name"], out var text);
        var conditions = request.Options.GetAll<IfMatch>().ToList();
        var isFulfilled = conditions.Count == 0 || (isThere && conditions.Any(one => one.Value.IsEmpty || one.Value.Span.SequenceEqual(TagOf(text!).Value.Span)));
        if (!isFulfilled || (isThere && request.Options.Contains<IfNoneMatch>())) { return new(ResponseCode.PreconditionFailed); }
        _things[request["name"]] = request.PayloadText;
        return isThere ? Response.Changed : Response.Created;
    }

    private CoapResponse Remove(IncomingRequest request)
    {
        _things.Remove(request["name"]);
        return Response.Deleted;
    }

    private static ETag TagOf(string text) => new(new[] { (byte)text.Length });
}
