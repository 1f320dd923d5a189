using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting.Tests.Serving;

/// <summary>A scope disposes of what it owns, whatever fails and whenever it gets it.</summary>
public sealed class RequestScopeOwnershipTests : IDisposable
{
    private readonly ServiceProvider _services = new ServiceCollection().AddScoped<Owned>().BuildServiceProvider();

    public void Dispose() => _services.Dispose();

    [Fact]
    public async Task An_object_that_a_scope_gets_after_its_end_is_disposed_of_at_once()
    {
        var (scope, late) = (NewScope(), new Owned());
        await scope.DisposeAsync();

        scope.Invoking(scope => scope.Own(late)).Should().Throw<ObjectDisposedException>().WithMessage("*The request has ended*");

        late.Ends.Should().Be(1);
    }

    [Fact]
    public async Task An_object_that_fails_to_end_keeps_nothing_else_from_ending()
    {
        var (scope, broken, other) = (NewScope(), new Owned { Fails = true }, new Owned());
        var service = scope.GetRequiredService<Owned>();
        scope.Own(broken);
        scope.Own(other);

        await scope.Awaiting(scope => scope.DisposeAsync().AsTask()).Should().ThrowAsync<InvalidOperationException>();

        (broken.Ends, other.Ends, service.Ends).Should().Be((1, 1, 1));
    }

    [Fact]
    public async Task A_scope_ends_once()
    {
        var (scope, owned) = (NewScope(), new Owned());
        scope.Own(owned);

        await scope.DisposeAsync();
        await scope.DisposeAsync();

        owned.Ends.Should().Be(1);
    }

    private RequestScope NewScope() => new(_services.GetRequiredService<IServiceScopeFactory>());

    private sealed class Owned : IDisposable
    {
        public int Ends { get; private set; }

        public bool Fails { get; init; }

        public void Dispose()
        {
            Ends++;
            if (Fails) { throw new InvalidOperationException("The work is lost."); }
        }
    }
}
