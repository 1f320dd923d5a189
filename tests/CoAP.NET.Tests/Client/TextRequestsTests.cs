using CoAP.Tests.Exchanges;

namespace CoAP.Tests.Client;

/// <summary>Which form of a call a payload selects: text, bytes or a value.</summary>
public sealed class TextRequestsTests
{
    private static readonly string[] Schemes = ["coap", "coap+tcp"];

    [Theory, InlineData("coap"), InlineData("coap+tcp")]
    public async Task Text_is_sent_as_plain_text(string scheme)
    {
        await using var pair = Echo();
        var uri = $"{scheme}://server/echo";

        var put = await pair.Client.PutAsync(uri, "ä");
        var post = await pair.Client.PostAsync(uri, "ä");
        var blocking = await Task.Run(() => (pair.Client.Put(uri, "ä"), pair.Client.Post(uri, "ä")));

        new[] { put, post, blocking.Item1, blocking.Item2 }.Select(static answer => answer.PayloadText)
            .Should().Equal("PUT 0 ä", "POST 0 ä", "PUT 0 ä", "POST 0 ä");
    }

    [Fact]
    public async Task Channels_send_text_back_to_the_client()
    {
        foreach (var scheme in Schemes)
        {
            await using var pair = new InMemoryPair();
            pair.Server.Resources.At("back").Post(async (request, cancellationToken) => await request.Channel.PutAsync("/echo", "ä", cancellationToken));
            LazyEcho(pair.Client.Resources);

            (await pair.Client.PostAsync($"{scheme}://server/back", default)).PayloadText.Should().Be("PUT 0 ä");
        }
    }

    [Fact]
    public async Task Bytes_have_no_format_unless_it_is_given()
    {
        await using var pair = Echo();
        byte[] bytes = [0x61];
        var uri = "coap://server/echo";

        var plain = await pair.Client.PutAsync(uri, bytes);
        var named = await pair.Client.PutAsync(uri, bytes, ContentFormats.OctetStream);
        var memory = await pair.Client.PostAsync(uri, bytes.AsMemory());
        var nothing = await pair.Client.PostAsync(uri, default);

        new[] { plain, named, memory, nothing }.Select(static answer => answer.PayloadText).Should().Equal("PUT  a", "PUT 42 a", "POST  a", "POST  ");
    }

    // The literal converts to an empty body. A text that is null is a mistake of the caller.
    [Fact]
    public async Task Null_is_no_body_as_a_literal_and_an_error_as_a_text()
    {
        await using var pair = Echo();
        string text = null!;

        (await pair.Client.PutAsync("coap://server/echo", null)).PayloadText.Should().Be("PUT  ");

        await FluentActions.Awaiting(async () => await pair.Client.PutAsync("coap://server/echo", text)).Should().ThrowAsync<ArgumentNullException>();
    }

    [Fact]
    public async Task A_record_without_a_format_is_refused_with_advice()
    {
        await using var pair = Echo();

        await FluentActions.Awaiting(async () => await pair.Client.PutAsync("coap://server/echo", new Reading(20))).Should().ThrowAsync<NotSupportedException>();
    }

    private static InMemoryPair Echo()
    {
        var pair = new InMemoryPair();
        LazyEcho(pair.Server.Resources);
        return pair;
    }

    private static void LazyEcho(ResourceMap resources) => resources.At("echo").Put(Answer).Post(Answer);

    private static CoapResponse Answer(IncomingRequest request) =>
        Response.Content($"{(request.Method == RequestCode.Put ? "PUT" : "POST")} {request.ContentFormat} {request.PayloadText}");

    private sealed record Reading(double Value);
}
