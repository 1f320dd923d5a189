using CoAP.Resources;

namespace CoAP.Tests.Resources;

public sealed class ResourceTests
{
    [Fact]
    public void Synchronous_handlers_learn_and_asynchronous_ones_run_inline_unless_told_otherwise()
    {
        var resource = new ResourceMap().At("r")
            .Get(_ => Response.Changed)
            .Put(_ => Response.Changed, HandlerMode.Inline)
            .Post((_, _) => new(Response.Changed))
            .Delete((_, _) => new(Response.Changed), HandlerMode.Buffered);

        CoapCode[] methods = [RequestCode.Get, RequestCode.Put, RequestCode.Post, RequestCode.Delete];

        methods.Select(method => resource.Find(method)!.Mode).Should()
            .Equal(HandlerMode.Learned, HandlerMode.Inline, HandlerMode.Inline, HandlerMode.Buffered);
    }

    [Fact]
    public async Task Gives_each_method_its_own_handler()
    {
        var resource = new ResourceMap().At("r")
            .Get(_ => Response.Content("1")).Post(_ => Response.Content("2")).Put(_ => Response.Content("3"))
            .Delete(_ => Response.Content("4")).Fetch(_ => Response.Content("5")).Patch(_ => Response.Content("6"))
            .IPatch(_ => Response.Content("7")).On(new CoapCode(31), _ => Response.Content("31"));
        var request = Requests.Unrouted("/r");

        foreach (byte method in new[] { 1, 2, 3, 4, 5, 6, 7, 31 })
        {
            (await resource.Find(new CoapCode(method))!.Invoke(request, default)).PayloadText.Should().Be($"{method}");
        }
        resource.Find(new CoapCode(8)).Should().BeNull();
        resource.Find(ResponseCode.Content).Should().BeNull();
    }

    [Fact]
    public async Task Gives_asynchronous_handlers_their_method_and_the_token()
    {
        using var source = new CancellationTokenSource();
        var handlers = Array.ConvertAll<int, RequestDelegate>([.. Enumerable.Range(0, 8)], number => (_, token) =>
            new(Response.Content($"{number} {token == source.Token}")));
        var resource = new ResourceMap().At("r")
            .Get(handlers[1]).Post(handlers[2]).Put(handlers[3]).Delete(handlers[4])
            .Fetch(handlers[5]).Patch(handlers[6]).IPatch(handlers[7]);

        foreach (byte method in new[] { 1, 2, 3, 4, 5, 6, 7 })
        {
            var response = await resource.Find(new CoapCode(method))!.Invoke(Requests.Unrouted("/r"), source.Token);

            response.PayloadText.Should().Be($"{method} True");
        }
    }

    [Fact]
    public void Refuses_a_second_handler_for_a_method()
    {
        var resource = new ResourceMap().At("r").Get(_ => Response.Changed);

        var again = () => resource.Get((_, _) => new(Response.Changed));

        again.Should().Throw<InvalidOperationException>().WithMessage("'/r' already has a handler for GET. *");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(32)]
    [InlineData(69)]
    public void Refuses_a_code_that_is_no_method(byte code)
    {
        var resource = new ResourceMap().At("r");

        var setting = () => resource.On(new CoapCode(code), _ => Response.Changed);

        setting.Should().Throw<ArgumentException>().WithMessage("*is not a method*");
    }

    [Fact]
    public void Refuses_formats_that_do_not_exist()
    {
        var resource = new ResourceMap().At("r");

        resource.Invoking(it => it.Consumes()).Should().Throw<ArgumentException>();
        resource.Invoking(it => it.Produces(65_536)).Should().Throw<ArgumentOutOfRangeException>();
        resource.Invoking(it => it.WithLink(rt: " ")).Should().Throw<ArgumentException>();
        resource.Invoking(it => it.WithLink(title: "a\nb")).Should().Throw<ArgumentException>();
        resource.Invoking(it => it.WithLink(sz: -1)).Should().Throw<ArgumentOutOfRangeException>();
    }

    [Fact]
    public void A_slow_inline_handler_is_moved_once()
    {
        var handler = new Handler((_, _) => new(Response.Changed), HandlerMode.Inline, "/r");

        var first = handler.MoveToBuffered();
        var second = handler.MoveToBuffered();

        (first, second, handler.IsBuffered).Should().Be((true, false, true));
    }
}
