using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Vocabulary;

/// <summary>Problem details on their way from a handler to the user of a client (RFC 9290).</summary>
public sealed class ProblemResponseTests : IDisposable
{
    private static readonly ProblemDetails Problem = new() { Title = "no money", Detail = "5 needed, 3 there", Entries = [new(7, new byte[] { 0xA1, 0, 5 })] };

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly LaneEnd _client;

    public ProblemResponseTests()
    {
        _server = LaneEnd.Server(_wire, map =>
        {
            map.At("answered").Get(_ => Response.Problem(ResponseCode.Forbidden, Problem, new MaxAge(7)), HandlerMode.Inline);
            map.At("thrown").Get((_, _) => throw new CoapResponseException(ResponseCode.Forbidden, Problem) { Options = [new MaxAge(7)] });
            map.At("passed/on").Get((_, _) => throw Received());
            map.At("garbage").Get(
                _ => new CoapResponse(ResponseCode.Forbidden) { Options = [new ContentFormat(257)], Payload = new byte[] { 0xA0 } }, HandlerMode.Inline);
        });
        _client = LaneEnd.Client(_wire);
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    [Theory, Trait("RFC", "9290 1")]
    [InlineData("/answered"), InlineData("/thrown"), InlineData("/passed/on")]
    public void A_problem_arrives_as_it_was_said(string path)
    {
        var call = _client.Get(path);
        _wire.RunUntilIdle();

        call.Answer().ContentFormat.Should().Be(257);
        call.Answer().Options.Get<MaxAge>()!.Value.Should().Be(7);
        call.Answer().Problem.Should().Be(Problem);
        call.Answer().Invoking(response => response.EnsureSuccess()).Should().Throw<CoapResponseException>()
            .WithMessage($"{_server.Self} answered GET {path} with 4.03 Forbidden: no money: 5 needed, 3 there").Which.Problem.Should().Be(Problem);
    }

    [Fact, Trait("RFC", "9290 2")]
    public void A_payload_that_is_no_problem_says_nothing()
    {
        var call = _client.Get("/garbage");
        _wire.RunUntilIdle();

        call.Answer().Problem.Should().BeNull();
        call.Answer().Invoking(response => response.EnsureSuccess()).Should().Throw<CoapResponseException>().WithMessage($"{_server.Self} answered GET /garbage with 4.03 Forbidden.");
    }

    [Fact, Trait("RFC", "9290 2")]
    public void The_code_in_the_details_is_that_of_the_response_and_an_error()
    {
        var said = Problem with { ResponseCode = ResponseCode.NotFound };

        Response.Problem(ResponseCode.NotFound, said).Problem!.ResponseCode.Should().Be(ResponseCode.NotFound);
        ((Action)(() => Response.Problem(ResponseCode.Forbidden, said))).Should().Throw<ArgumentException>();
        ((Action)(() => Response.Problem(ResponseCode.Content, "fine"))).Should().Throw<ArgumentException>();
    }

    private static CoapResponseException Received()
    {
        try { Response.Problem(ResponseCode.Forbidden, Problem, new MaxAge(7)).EnsureSuccess(); }
        catch (CoapResponseException exception) { return exception; }
        throw new InvalidOperationException("The response was no error.");
    }
}
