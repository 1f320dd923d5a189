namespace CoAP.AspNetCore.Tests;

/// <summary>The client and the server of this library over WebSockets (RFC 8323, section 4).</summary>
[Trait("Category", "Loopback")]
public sealed class WebSocketClientTests
{
    [Theory, InlineData(false), InlineData(true), Trait("RFC", "8323 8.3")]
    public async Task Requests_go_over_a_web_socket_sync_and_async(bool isSync)
    {
        await using var host = await WebHost.StartAsync();
        await using var client = new CoapClient();
        var uri = $"coap+ws://{host.Authority}/hello";

        var hello = isSync ? client.Get(uri) : await client.GetAsync(uri);

        hello.PayloadText.Should().Be("Hello, CoAP!");
    }

    [Fact]
    public async Task Http_works_beside_it()
    {
        await using var host = await WebHost.StartAsync();
        using var http = new HttpClient();

        (await http.GetStringAsync(host.Address)).Should().Be("HTTP as before");
        (await http.GetAsync($"{host.Address}/.well-known/coap")).StatusCode.Should().Be(System.Net.HttpStatusCode.UpgradeRequired);
    }

    [Theory]
    [InlineData(0), InlineData(1), InlineData(12), InlineData(13), InlineData(268), InlineData(269), InlineData(1024), InlineData(16_384), InlineData(60_000)]
    [Trait("RFC", "8323 4.2")]
    public async Task Payloads_around_every_header_length_are_echoed(int size)
    {
        await using var host = await WebHost.StartAsync();
        await using var client = new CoapClient();
        var payload = new byte[size];
        new Random(size).NextBytes(payload);

        var echo = await client.PostAsync($"coap+ws://{host.Authority}/echo", payload);

        echo.Payload.ToArray().Should().Equal(payload, "the seed is {0}", size);
    }

    [Fact, Trait("RFC", "8323 4.3")]
    public async Task Many_requests_share_one_connection_and_each_is_answered()
    {
        await using var host = await WebHost.StartAsync();
        await using var client = new CoapClient();

        var answers = await Task.WhenAll(Enumerable.Range(0, 300).Select(i => client.PostAsync($"coap+ws://{host.Authority}/echo", new byte[i]).AsTask()));
        var from = await Task.WhenAll(Enumerable.Range(0, 10).Select(_ => client.GetAsync($"coap+ws://{host.Authority}/who").AsTask()));

        answers.Select(answer => answer.Payload.Length).Should().Equal(Enumerable.Range(0, 300));
        from.Select(answer => answer.PayloadText).Distinct().Should().ContainSingle();
    }

    [Fact, Trait("RFC", "8323 4.1")]
    public async Task A_server_without_coap_is_an_error_that_names_the_cause()
    {
        await using var host = await WebHost.StartAsync();
        await using var client = new CoapClient();
        var builder = Microsoft.AspNetCore.Builder.WebApplication.CreateSlimBuilder();
        await using var other = builder.Build();
        other.Urls.Add("http://127.0.0.1:0");
        await other.StartAsync();

        var call = () => client.GetAsync($"coap+ws://{new Uri(other.Urls.First()).Authority}/hello").AsTask();

        (await call.Should().ThrowAsync<CoapTransportException>()).WithMessage("*404*");
    }

    [Fact]
    public async Task The_end_of_the_host_ends_the_connection_in_bounded_time()
    {
        var host = await WebHost.StartAsync();
        await using var client = new CoapClient();
        await client.GetAsync($"coap+ws://{host.Authority}/hello");

        await host.DisposeAsync().AsTask().WaitAsync(TimeSpan.FromMinutes(1));
        var call = () => client.GetAsync($"coap+ws://{host.Authority}/hello").AsTask();

        await call.Should().ThrowAsync<CoapTransportException>();
    }

    [Fact]
    public async Task More_connections_than_the_limit_are_closed()
    {
        await using var host = await WebHost.StartAsync(new CoapServerSettings { Endpoints = [], WebSockets = new() { MaxConnections = 1 } });
        await using var first = new CoapClient();
        await using var second = new CoapClient();
        await first.GetAsync($"coap+ws://{host.Authority}/hello");

        var call = () => second.GetAsync($"coap+ws://{host.Authority}/hello").AsTask();

        (await call.Should().ThrowAsync<CoapTransportException>()).WithMessage("*1008 (PolicyViolation): The account of this peer holds 1 of 1 connections (WebSockets.MaxConnections).*");
        (await first.GetAsync($"coap+ws://{host.Authority}/hello")).IsSuccess.Should().BeTrue();
    }
}
