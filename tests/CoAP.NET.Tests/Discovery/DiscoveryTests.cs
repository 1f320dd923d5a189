using System.Text;
using CoAP.Discovery;

namespace CoAP.Tests.Discovery;

/// <summary>Links to resources, of one endpoint and of groups, by clients with threads on a network within the process.</summary>
public sealed class DiscoveryTests
{
    private static readonly MulticastSettings Groups = new() { Leisure = TimeSpan.Zero };

    private static readonly MulticastRequestSettings OneSecond = new() { ListenFor = TimeSpan.FromSeconds(1) };

    [Fact, Trait("RFC", "6690 4"), Trait("RFC", "6690 2.1"), Trait("RFC", "7252 7.2")]
    public async Task Gives_the_links_of_an_endpoint_with_their_absolute_uris()
    {
        var network = new InMemoryNetwork();
        await using var server = Start(network, "kitchen", "temperature");
        await using var client = new CoapClient(new CoapClientSettings { Network = network });

        var links = await ReadAsync(client.DiscoverAsync("coap://kitchen"));

        links.Should().ContainSingle();
        (links[0].Link.Target, links[0].Uri, links[0].Sender).Should().Be(("/temperature", "coap://kitchen/temperature", PeerIdentity.From("kitchen")));
        client.Discover("coap://kitchen", "rt=none").Should().BeEmpty();
    }

    [Theory, Trait("RFC", "6690 4.1")]
    [InlineData("no-equals"), InlineData("=x"), InlineData("rt=a&"), InlineData("rt=a&x")]
    public void A_filter_without_a_name_and_a_value_throws_at_the_call(string filter)
    {
        using var client = new CoapClient(new CoapClientSettings { Network = new InMemoryNetwork() });

        var calls = new Action[] { () => client.Discover("coap://kitchen", filter), () => client.DiscoverAsync("coap://kitchen", filter) };

        foreach (var call in calls) { call.Should().Throw<ArgumentException>().WithParameterName(nameof(filter)).WithMessage("*rt=temperature*RFC 6690, section 4.1*"); }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Reads_links_while_they_are_enumerated_and_no_more_than_the_setting_allows(bool isSync)
    {
        var network = new InMemoryNetwork();
        await using var server = new CoapServer(new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("flood")] });
        var flood = Encoding.UTF8.GetBytes(string.Join(',', Enumerable.Repeat("<>", 100_000)));
        server.Resources.At(".well-known/core").Get((_, _) => new(Response.Content(flood, ContentFormats.LinkFormat)));
        server.Start();
        await using var client = new CoapClient(new CoapClientSettings { Network = network, MaxDiscoveredLinks = 1000 });
        var read = 0;

        var failure = await Record.ExceptionAsync(async () =>
        {
            if (isSync) { foreach (var _ in client.Discover("coap://flood")) { read++; } }
            else { await foreach (var _ in client.DiscoverAsync("coap://flood")) { read++; } }
        });

        failure.Should().BeOfType<CoapTransferException>().Which.Message.Should().Contain("MaxDiscoveredLinks").And.Contain("1000");
        read.Should().Be(1000);
        client.Discover("coap://flood").Take(3).Should().HaveCount(3);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Wrong_links_count_and_do_not_delay_the_limit(bool isSync)
    {
        var network = new InMemoryNetwork();
        await using var server = StartFlood(network, "<,");
        await using var client = new CoapClient(new CoapClientSettings { Network = network, MaxDiscoveredLinks = 500 });

        var failure = await Record.ExceptionAsync(async () => _ = isSync
            ? client.Discover("coap://flood").ToList()
            : await ReadAsync(client.DiscoverAsync("coap://flood")));

        failure.Should().BeOfType<CoapTransferException>()
            .Which.Message.Should().Contain("more than 500 links, of which 500 are wrong");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_canceled_token_ends_the_reading_between_links(bool isSync)
    {
        var network = new InMemoryNetwork();
        await using var server = StartFlood(network, "<>,");
        await using var client = new CoapClient(new CoapClientSettings { Network = network });
        using var source = new CancellationTokenSource();
        var read = 0;

        var failure = await Record.ExceptionAsync(async () =>
        {
            if (isSync) { foreach (var _ in client.Discover("coap://flood", cancellationToken: source.Token)) { Count(); } }
            else { await foreach (var _ in client.DiscoverAsync("coap://flood", cancellationToken: source.Token)) { Count(); } }
        });

        failure.Should().BeOfType<OperationCanceledException>();
        read.Should().Be(3);

        void Count()
        {
            if (++read == 3) { source.Cancel(); }
        }
    }

    [Fact, Trait("RFC", "6690 1.2.1"), Trait("RFC", "7252 8"), Trait("RFC", "7252 7.1"), Trait("RFC", "7252 7.2")]
    public async Task Gives_the_links_of_all_members_that_have_what_is_asked_for()
    {
        var network = new InMemoryNetwork();
        await using var kitchen = Start(network, "kitchen", "temperature");
        await using var hall = Start(network, "hall", "light");
        await using var cellar = Start(network, "cellar", "temperature");
        await using var client = NewClient(network);

        var links = await ReadAsync(client.DiscoverAsync("coap://224.0.1.187", "rt=temperature"));

        links.Select(link => link.Uri).Should().BeEquivalentTo("coap://kitchen/temperature", "coap://cellar/temperature");
    }

    [Fact, Trait("RFC", "7959 2.8")]
    public async Task Fetches_the_rest_of_a_large_answer_from_its_member_only()
    {
        var network = new InMemoryNetwork();
        await using var large = Start(network, "large", [.. Enumerable.Range(0, 300).Select(number => $"a-resource-with-number-{number}")]);
        await using var client = NewClient(network);

        var links = client.Discover("coap://[ff05::fd]").ToList();

        links.Should().HaveCount(300).And.OnlyContain(link => link.Sender == PeerIdentity.From("large"));
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public async Task Shows_a_member_that_its_address_is_its_own_before_a_large_answer()
    {
        var network = new InMemoryNetwork();
        var wary = new AmplificationSettings { ExemptsLoopback = false };
        await using var server = Start(network, "wary", wary, [.. Enumerable.Range(0, 10).Select(number => $"a-resource-with-number-{number}")]);
        await using var client = NewClient(network);

        var links = client.Discover("coap://224.0.1.187").ToList();

        links.Should().HaveCount(10);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Members_that_send_only_a_part_delay_no_other_member(bool isSync)
    {
        const int Silent = MemberRests.MaxFetches + 8;
        var network = new SimulatedNetwork();
        var asked = new List<TimeSpan>();
        var servers = Enumerable.Range(0, Silent).Select(number => StartSilent(network, $"silent{number}", asked)).ToList();
        servers.Add(StartOn(network, "honest", "temperature"));
        servers.Add(StartOn(network, "large", [.. Enumerable.Range(0, 300).Select(number => $"a-resource-with-number-{number}")]));
        await using var client = new CoapClient(network.Place(new CoapClientSettings { Multicast = OneSecond }));
        var start = network.Clock.GetTimestamp();

        var links = isSync
            ? client.Discover("coap://224.0.1.187").ToList()
            : network.Run(() => ReadAsync(client.DiscoverAsync("coap://224.0.1.187")));

        network.Clock.GetElapsedTime(start).Should().BeLessThanOrEqualTo(TimeSpan.FromSeconds(2.1));
        links[0].Uri.Should().Be("coap://honest/temperature");
        links.Should().HaveCount(301);
        asked.Count(at => at < TimeSpan.FromSeconds(0.5)).Should().BeInRange(MemberRests.MaxFetches - 1, MemberRests.MaxFetches);
        asked.Should().HaveCount(Silent);
        foreach (var server in servers) { await server.DisposeAsync(); }
    }

    [Fact]
    public async Task An_error_of_an_endpoint_is_thrown()
    {
        var network = new InMemoryNetwork();
        await using var server = new CoapServer(new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("silent")], ListsResources = false });
        server.Start();
        await using var client = new CoapClient(new CoapClientSettings { Network = network });

        client.Invoking(one => one.Discover("coap://silent").ToList()).Should().Throw<CoapResponseException>().Which.Code.Should().Be(ResponseCode.NotFound);
    }

    // Answers the group with more than one block, and then never.
    private static CoapServer StartSilent(SimulatedNetwork network, string name, List<TimeSpan> asked)
    {
        var server = new CoapServer(network.Place(new CoapServerSettings { Multicast = Groups }, name));
        var links = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat("</silent>,", 500)));
        server.Resources.At(".well-known/core").AnswersMulticast().Get(async (request, cancellationToken) =>
        {
            if (request.IsMulticast) { return Response.Content(links, ContentFormats.LinkFormat); }
            lock (asked) { asked.Add(network.Clock.GetElapsedTime(0)); }
            return await new TaskCompletionSource<CoapResponse>().Task.WaitAsync(cancellationToken);
        });
        server.Start();
        return server;
    }

    private static CoapServer StartOn(SimulatedNetwork network, string name, params string[] paths)
    {
        var server = new CoapServer(network.Place(new CoapServerSettings { Multicast = Groups }, name));
        foreach (var path in paths) { server.Resources.At(path).Get(_ => Response.Content(path)).WithLink(rt: path); }
        server.Start();
        return server;
    }

    private static CoapServer StartFlood(InMemoryNetwork network, string repeated)
    {
        var server = new CoapServer(new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("flood")] });
        var links = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat(repeated, 2_000)));
        server.Resources.At(".well-known/core").Get((_, _) => new(Response.Content(links, ContentFormats.LinkFormat)));
        server.Start();
        return server;
    }

    private static CoapClient NewClient(InMemoryNetwork network) => new(new CoapClientSettings { Network = network, Multicast = OneSecond });

    private static async Task<List<DiscoveredLink>> ReadAsync(IAsyncEnumerable<DiscoveredLink> found)
    {
        var links = new List<DiscoveredLink>();
        await foreach (var link in found) { links.Add(link); }
        return links;
    }

    private static CoapServer Start(InMemoryNetwork network, string name, params string[] paths) => Start(network, name, new AmplificationSettings(), paths);

    private static CoapServer Start(InMemoryNetwork network, string name, AmplificationSettings amplification, string[] paths)
    {
        var settings = new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory(name)], Multicast = Groups, Amplification = amplification };
        var server = new CoapServer(settings);
        foreach (var path in paths) { server.Resources.At(path).Get((_, _) => new(Response.Content(path))).WithLink(rt: path); }
        server.Start();
        return server;
    }
}
