using System.Net;

namespace CoAP.Tests.Client;

/// <summary>Steps of a client, for all shapes of answers and both forms of calls, on a network that loses what a test tells it to.</summary>
public sealed class RequestStepTests : IDisposable
{
    private const string Group = "coap://224.0.1.187/x";

    private static readonly TimeSpan ListenFor = TimeSpan.FromSeconds(5);

    private readonly SimulatedNetwork _network = new();
    private readonly StatelessTokens _tokens = new();
    private readonly List<string> _log = [];
    private readonly CoapServer _server;
    private readonly CoapClient _client;

    public RequestStepTests()
    {
        _server = new CoapServer(_network.Place(new CoapServerSettings { Multicast = new MulticastSettings { Groups = [IPAddress.Parse("224.0.1.187")] } }, "server"));
        _server.Resources.At("x").Observable().Get((_, _) => new(Response.Content("here"))).AnswersMulticast();
        _server.Start();
        // A lost datagram is not sent again, so that only a step recovers from a loss.
        _client = new CoapClient(_network.Place(
            new CoapClientSettings { Transmission = new() { MaxRetransmit = 0 }, StatelessTokens = _tokens, BaseUri = "coap://server/" }, "client"));
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
        _tokens.Dispose();
    }

    public static TheoryData<AnswerShape, bool> Shapes()
    {
        var data = new TheoryData<AnswerShape, bool>();
        foreach (var shape in Enum.GetValues<AnswerShape>())
        {
            data.Add(shape, false);
            data.Add(shape, true);
        }
        return data;
    }

    [Theory, MemberData(nameof(Shapes))]
    public void Every_request_passes_the_steps_in_the_order_in_which_they_were_added(AnswerShape shape, bool isBlocking)
    {
        _client.Use(Logging("a")).Use(Logging("b"));

        var answers = Ask(_client, shape, isBlocking);

        var expected = HasAnswer(shape) ? new[] { $"a {shape}", $"b {shape}", "b 2.05", "a 2.05" } : [$"a {shape}", $"b {shape}"];
        _log.Should().Equal(expected);
        answers.Should().Equal(HasAnswer(shape) ? ["here"] : []);
    }

    // The first request, and to the group the first response, gets lost.
    [Theory]
    [InlineData(AnswerShape.One, false), InlineData(AnswerShape.One, true)]
    [InlineData(AnswerShape.Observation, false), InlineData(AnswerShape.Observation, true)]
    [InlineData(AnswerShape.Group, false), InlineData(AnswerShape.Group, true)]
    [InlineData(AnswerShape.None, false), InlineData(AnswerShape.None, true)]
    [InlineData(AnswerShape.Raw, false), InlineData(AnswerShape.Raw, true)]
    public void A_step_sends_again_what_got_lost(AnswerShape shape, bool isBlocking)
    {
        _client.Use(Retrying());
        if (shape == AnswerShape.Group) { _network.Drop("server", "client"); }
        else { _network.Drop("client", "server"); }

        var answers = Ask(_client, shape, isBlocking);

        _log.Should().Equal("again");
        answers.Should().Equal(HasAnswer(shape) ? ["here"] : []);
    }

    [Fact]
    public void An_observation_whose_registration_a_step_has_repeated_goes_on_and_tells_its_state()
    {
        _client.Use(Retrying());
        _network.Drop("client", "server");
        var observation = _client.Observe("x");
        var states = new List<ObservationState> { observation.Observation.State };

        foreach (var _ in observation)
        {
            states.Add(observation.Observation.State);
            if (states.Count == 3) { break; }
            _server.Resources.At("x").NotifyChanged();
        }

        states.Should().Equal(ObservationState.Registering, ObservationState.Active, ObservationState.Active);
        observation.Observation.EndReason.Should().Be(ObservationEnd.Canceled);
        observation.Observation.LastError.Should().BeOfType<CoapTimeoutException>("the first registration got lost");
    }

    [Theory, MemberData(nameof(Shapes))]
    public void A_step_answers_by_itself_and_nothing_is_sent(AnswerShape shape, bool isBlocking)
    {
        var answer = Answers.Of(new CoapResponse(ResponseCode.Content) { Payload = "own"u8.ToArray() });
        _client.Use(RequestStep.Of("own", (_, _, _) => new(answer), (_, _, _) => answer));

        Ask(_client, shape, isBlocking).Should().Equal(HasAnswer(shape) ? ["own"] : []);

        _network.Transcript.Should().BeEmpty();
    }

    [Theory, MemberData(nameof(Shapes))]
    public void A_step_of_one_form_refuses_calls_of_the_other_before_anything_is_sent(AnswerShape shape, bool isBlocking)
    {
        _client.Use(isBlocking
            ? RequestStep.Of("one-sided", askAsync: static (request, next, stop) => next.AskAsync(request, stop))
            : RequestStep.Of("one-sided", ask: static (request, next, stop) => next.Ask(request, stop)));

        var asking = () => Ask(_client, shape, isBlocking);

        asking.Should().Throw<NotSupportedException>().WithMessage($"The step one-sided serves only {(isBlocking ? "asynchronous" : "synchronous")} calls*");
        _network.Transcript.Should().BeEmpty();
    }

    [Fact]
    public void A_class_that_implements_one_form_refuses_the_other_with_its_name()
    {
        var sender = new FakeSender(static _ => Answers.None).Through(new AsyncOnly());

        sender.Invoking(one => one.Get("/x")).Should().Throw<NotSupportedException>().WithMessage("The step AsyncOnly serves only asynchronous calls*");
    }

    [Fact]
    public void A_step_sees_the_absolute_URI_and_may_send_the_request_elsewhere()
    {
        _client.Use(RequestStep.Of(
            "moving",
            ask: (request, next, stop) =>
            {
                _log.Add(request.Uri!);
                return next.Ask(request.With(uri: request.Uri!.Replace("old", "x", StringComparison.Ordinal)), stop);
            }));

        _client.Get("old").PayloadText.Should().Be("here");

        _log.Should().Equal("coap://server/old");
    }

    [Fact]
    public void A_step_that_returns_nothing_is_named()
    {
        _client.Use(RequestStep.Of("empty", ask: static (_, _, _) => null!));

        _client.Invoking(one => one.Get("x")).Should().Throw<InvalidOperationException>().WithMessage("The step empty returned null*");
    }

    [Fact]
    public void A_call_to_which_a_step_returns_no_answer_says_what_is_missing()
    {
        _client.Use(RequestStep.Of("empty", ask: static (_, _, _) => Answers.None));

        _client.Invoking(one => one.Get("x")).Should().Throw<InvalidOperationException>().WithMessage("*no answer to GET coap://server/x*Answers.Of*");
    }

    [Fact]
    public void A_step_comes_before_the_first_request()
    {
        _client.Get("x");

        _client.Invoking(one => one.Use(Logging("late"))).Should().Throw<InvalidOperationException>().WithMessage("The step late was added too late*");
    }

    [Fact]
    public void A_step_needs_a_function_and_a_name()
    {
        var withoutFunction = () => RequestStep.Of("x");
        var withoutName = () => RequestStep.Of(" ", ask: static (request, next, stop) => next.Ask(request, stop));

        withoutFunction.Should().Throw<ArgumentException>().WithMessage("The step x has no function*");
        withoutName.Should().Throw<ArgumentException>();
    }

    [Fact]
    public void A_channel_goes_through_steps_too_but_has_no_groups()
    {
        IChannel? channel = null;
        _server.Resources.At("back").Get(async (request, stop) =>
        {
            channel = request.Channel;
            return await request.Channel.Through(Logging("c")).GetAsync("/own", stop);
        });
        _client.Resources.At("own").Get((_, _) => new(Response.Content("mine")));

        _network.Run(_client.GetAsync("back")).PayloadText.Should().Be("mine");

        _log.Should().Equal("c One", "c 2.05");
        channel!.Through(Logging("d")).Invoking(one => one.Multicast(Group, ListenFor).ToList()).Should().Throw<NotSupportedException>().WithMessage("*Use a client*");
    }

    private static bool HasAnswer(AnswerShape shape) => shape is not AnswerShape.None and not AnswerShape.Stateless;

    // The first answer of each kind.
    private IReadOnlyList<string> Ask(IRequestSender sender, AnswerShape shape, bool isBlocking) =>
        isBlocking ? Ask(sender, shape) : _network.Run(() => AskAsync(sender, shape));

    private static IReadOnlyList<string> Ask(IRequestSender sender, AnswerShape shape)
    {
        switch (shape)
        {
            case AnswerShape.Observation: return [sender.Observe("x").First().Response.PayloadText];
            case AnswerShape.Group: return [.. sender.Multicast(Group, ListenFor).Select(static answer => answer.PayloadText)];
            case AnswerShape.Raw:
                return [.. sender.AskRaw(new CoapRequest(RequestCode.Get, "x")).Blocking().Select(static answer => answer.PayloadText)];
            case AnswerShape.None:
                sender.SendAndForget(new CoapRequest(RequestCode.Get, "x"));
                return [];
            case AnswerShape.Stateless:
                sender.SendStateless(new CoapRequest(RequestCode.Get, "x"), new byte[] { 1 });
                return [];
            default: return [sender.Get("x").PayloadText];
        }
    }

    private static async Task<IReadOnlyList<string>> AskAsync(IRequestSender sender, AnswerShape shape)
    {
        switch (shape)
        {
            case AnswerShape.Observation:
                await foreach (var notification in sender.ObserveAsync("x")) { return [notification.Response.PayloadText]; }
                return [];
            case AnswerShape.Group:
                var answers = new List<string>();
                await foreach (var answer in sender.MulticastAsync(Group, ListenFor)) { answers.Add(answer.PayloadText); }
                return answers;
            case AnswerShape.Raw:
                using (var raw = await sender.AskRawAsync(new CoapRequest(RequestCode.Get, "x"))) { return [raw.First!.PayloadText]; }
            case AnswerShape.None:
                await sender.SendAndForgetAsync(new CoapRequest(RequestCode.Get, "x"));
                return [];
            case AnswerShape.Stateless:
                await sender.SendStatelessAsync(new CoapRequest(RequestCode.Get, "x"), new byte[] { 1 });
                return [];
            default: return [(await sender.GetAsync("x")).PayloadText];
        }
    }

    private IRequestStep Logging(string name) => RequestStep.Of(
        name,
        async (request, next, stop) => Logged(name, await next.AskAsync(Begun(name, request), stop)),
        (request, next, stop) => Logged(name, next.Ask(Begun(name, request), stop)));

    private CoapRequest Begun(string name, CoapRequest request)
    {
        _log.Add($"{name} {request.Shape}");
        return request;
    }

    private Answers Logged(string name, Answers answers) => answers.Map(answer =>
    {
        _log.Add($"{name} {answer.Code}");
        return answer;
    });

    // Sends a request again that timed out, or that no member of a group answered.
    private IRequestStep Retrying() => RequestStep.Of(
        "retrying",
        async (request, next, stop) =>
        {
            try
            {
                var answers = await next.AskAsync(request, stop);
                if (request.Shape != AnswerShape.Group || answers.First is not null) { return answers; }
            }
            catch (CoapTimeoutException)
            {
                // As without an answer.
            }
            _log.Add("again");
            return await next.AskAsync(request, stop);
        },
        (request, next, stop) =>
        {
            try
            {
                var answers = next.Ask(request, stop);
                if (request.Shape != AnswerShape.Group || answers.First is not null) { return answers; }
            }
            catch (CoapTimeoutException)
            {
                // As without an answer.
            }
            _log.Add("again");
            return next.Ask(request, stop);
        });

    private sealed class AsyncOnly : IRequestStep
    {
        public ValueTask<Answers> AskAsync(CoapRequest request, IRequestSender next, CancellationToken cancellationToken) => next.AskAsync(request, cancellationToken);
    }
}
