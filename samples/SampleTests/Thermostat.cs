using CoAP;

namespace SampleTests;

/// <summary>The code under test: a thermostat with a set point that clients read, observe and change.</summary>
internal sealed class Thermostat
{
    private readonly Resource _setPoint;
    private string _value = "21.0";

    public Thermostat(ResourceMap resources) => _setPoint = resources.At("set-point")
        .Get((_, _) => new(Response.Content(_value)))
        .Put((request, _) =>
        {
            _value = request.PayloadText;
            _setPoint!.NotifyChanged();
            return new(Response.Changed);
        })
        .Observable();
}
