using CoAP;
using CoAP.Testing;
using Xunit;

public class FakeSenderTests
{
    [Fact]
    public async Task A_client_of_the_program_is_tested_without_a_network()
    {
        var sender = new FakeSender(request => Answers.Of(request.Uri == "/sensors/7" ? Response.Content("21.5") : Response.NotFound));

        var response = await sender.GetAsync("/sensors/7");

        Assert.Equal("21.5", response.PayloadText);
        Assert.Equal("/sensors/7", Assert.Single(sender.Requests).Uri);
    }

    [Fact]
    public async Task An_observer_is_tested_without_a_network()
    {
        var sender = new FakeSender(_ => Answers.Of(Response.Content("21.5"), Response.Content("22.0")));
        var read = new List<string>();

        await foreach (var state in sender.ObserveAsync("/sensors/7")) { read.Add(state.Response.PayloadText); }

        Assert.Equal(["21.5", "22.0"], read);
    }
}
